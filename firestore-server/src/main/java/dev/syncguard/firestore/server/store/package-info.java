/** Documents, their indexes and their recent past, and the one place at which commits happen. */
@NullMarked
package dev.syncguard.firestore.server.store;

import org.jspecify.annotations.NullMarked;
