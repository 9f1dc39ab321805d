/** A guard for documents of Firestore. */
@NullMarked
package dev.syncguard.fence.firestore;

import org.jspecify.annotations.NullMarked;
