/** Writes: what is checked before, and what they make of a document. */
@NullMarked
package dev.syncguard.firestore.server.write;

import org.jspecify.annotations.NullMarked;
