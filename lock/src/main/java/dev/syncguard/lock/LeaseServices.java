package dev.syncguard.lock;

import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/** What all leases of one {@link Locks} share. */
record LeaseServices(
    LockBackend backend,
    Time time,
    Background background,
    PendingReleases pendingReleases,
    RememberedFences fences,
    LeaseRegistry registry,
    Optional<Duration> closeTimeout) {}
