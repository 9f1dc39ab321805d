/** Locks on Redis. */
@NullMarked
package dev.syncguard.lock.redis;

import org.jspecify.annotations.NullMarked;
