/** Waiting for a key: one queue per key, of which only the first asks the store. Machinery: not exported. */
@NullMarked
package dev.syncguard.lock.waiting;

import org.jspecify.annotations.NullMarked;
