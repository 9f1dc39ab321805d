package dev.syncguard.lock.lease;

import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Until when a lease may be relied upon, here and by the store's clock, as the store's answers tell it. Thread-safe.
 *
 * <p>Times are readings of the monotonic clock.
 */
final class LeaseTerm {

  private final LongSupplier nanos;
  private final ReentrantLock guard = new ReentrantLock();
  private final LeaseWindow window = new LeaseWindow();
  private final StoreClock storeClock = new StoreClock();
  private volatile long endNanos;
  private volatile @Nullable Instant expiresAt;

  LeaseTerm(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns the end, as far as we may rely on it. */
  long endNanos() {
    return endNanos;
  }

  /** Returns the end by the store's clock. */
  Instant expiresAt() {
    return Objects.requireNonNull(expiresAt);
  }

  /** Begins with a grant, which left more than the ttl only if the clock of the store is not to be trusted. */
  void granted(AcquireResult.Acquired acquired, Ttl ttl, long sentNanos) {
    Duration left = acquired.remaining();
    guarded(() -> {
      window.open(sentNanos, left.compareTo(ttl.duration()) > 0 ? ttl.duration() : left);
      expiresAt = acquired.expiresAt();
    });
    heard(acquired.expiresAt().minus(left), sentNanos);
  }

  LeaseWindow.Extension extending(Ttl longer, long sentNanos) {
    guard.lock();
    try {
      LeaseWindow.Extension extension = window.extending(longer, sentNanos);
      endNanos = window.endNanos();
      return extension;
    } finally {
      guard.unlock();
    }
  }

  void refused(LeaseWindow.Extension extension) {
    guarded(() -> window.refused(extension));
  }

  /** Notes what the store's clock said, and returns whether the lease was not over by it when it was extended. */
  boolean wasInTime(ExtendResult.Extended extended, Ttl longer, long sentNanos) {
    Instant storeNow = extended.expiresAt().minus(longer.duration());
    heard(storeNow, sentNanos);
    return storeNow.isBefore(expiresAt());
  }

  private void heard(Instant storeNow, long sentNanos) {
    long answeredNanos = nanos.getAsLong();
    long aheadMillis;
    guard.lock();
    try {
      aheadMillis = storeClock.answered(storeNow, sentNanos, answeredNanos);
    } finally {
      guard.unlock();
    }
    StoreClock.tell(aheadMillis);
  }

  void confirmed(LeaseWindow.Extension extension, ExtendResult.Extended extended) {
    guarded(() -> {
      window.confirmed(extension);
      expiresAt = extended.expiresAt();
    });
  }

  boolean hasUnansweredExtensions() {
    guard.lock();
    try {
      return window.hasUnansweredExtensions();
    } finally {
      guard.unlock();
    }
  }

  private void guarded(Runnable change) {
    guard.lock();
    try {
      change.run();
      endNanos = window.endNanos();
    } finally {
      guard.unlock();
    }
  }
}
