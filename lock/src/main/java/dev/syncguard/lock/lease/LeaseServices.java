package dev.syncguard.lock.lease;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/** What all leases of one {@link Locks} share. */
public record LeaseServices(
    LockBackend backend,
    Time time,
    Background background,
    PendingReleases pendingReleases,
    RememberedFences fences,
    LeaseRegistry registry,
    Optional<Duration> closeTimeout) {}
