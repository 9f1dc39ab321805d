package dev.syncguard.lock;

import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/** What the leases of one request have in common. */
record LeaseContext(
    LockBackend backend,
    Time time,
    Background background,
    WaitingRoom room,
    ReleaseErrorHandler onReleaseError,
    Optional<Duration> closeTimeout) {}
