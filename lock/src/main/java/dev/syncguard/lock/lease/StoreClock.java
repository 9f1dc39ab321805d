package dev.syncguard.lock.lease;

import dev.syncguard.lock.spi.Liveness;
import java.time.Duration;
import java.time.Instant;

/**
 * Notices that the clock of a store went ahead between two of its answers by more than clocks may disagree.
 *
 * <p>Leases on such a store end earlier than their holders count. Only the next answer shows it: if the lease is still
 * there nothing has happened to it, but an operator should know. Not thread-safe.
 */
public final class StoreClock {

  private static final System.Logger log = System.getLogger(StoreClock.class.getName());

  private Instant last = Instant.MAX;
  private long lastSentNanos;

  /** Returns how many milliseconds the store's clock went ahead of ours since its last answer, beyond what is tolerated. */
  public long answered(Instant storeNow, long sentNanos, long answeredNanos) {
    boolean isFirst = last.equals(Instant.MAX);
    Duration here = Duration.ofNanos(answeredNanos - lastSentNanos);
    Duration there = isFirst ? here : Duration.between(last, storeNow);
    last = storeNow;
    lastSentNanos = sentNanos;
    long ahead = there.minus(here).toMillis();
    return ahead > Liveness.TIME_TOLERANCE_MS ? ahead : 0;
  }

  /** Tells the operator, unless the clock did not go ahead. Not under a lock: a log's handler is somebody else's code. */
  public static void tell(long aheadMillis) {
    if (aheadMillis > 0) {
      log.log(
          System.Logger.Level.WARNING,
          "The clock of the store went ahead by about " + aheadMillis
              + " ms while a lease was held. Leases may end that much earlier than their holders"
              + " count; check how the store keeps its time");
    }
  }
}
