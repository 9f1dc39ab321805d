package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.spi.LockBackend;
import java.util.function.Supplier;

/**
 * A store that the application has and that could keep the locks.
 *
 * @param store which one
 * @param origin where it was found, in words
 * @param opening makes the backend
 */
record StoreCandidate(Store store, String origin, Supplier<LockBackend> opening) {}
