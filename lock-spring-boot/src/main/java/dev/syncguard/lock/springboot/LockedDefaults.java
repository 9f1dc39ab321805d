package dev.syncguard.lock.springboot;

import java.time.Duration;

/**
 * What holds for {@link Locked} methods that do not say it themselves.
 *
 * @param ttl how long a lease lasts when nobody extends it
 * @param waitUpTo how long to wait for the key
 */
public record LockedDefaults(Duration ttl, Duration waitUpTo) {}
