/** Locks on Firestore, and a watch over the clock that they depend on. */
@NullMarked
package dev.syncguard.lock.firestore;

import org.jspecify.annotations.NullMarked;
