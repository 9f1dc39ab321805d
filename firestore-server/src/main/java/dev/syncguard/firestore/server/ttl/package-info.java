/** Removal of documents whose time is over. */
@NullMarked
package dev.syncguard.firestore.server.ttl;

import org.jspecify.annotations.NullMarked;
