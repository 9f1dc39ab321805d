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

  /** Compares what the store's clock said in an answer with how much time has passed here. */
  public void answered(Instant storeNow, long sentNanos, long answeredNanos) {
    boolean isFirst = last.equals(Instant.MAX);
    Duration here = Duration.ofNanos(answeredNanos - lastSentNanos);
    Duration there = isFirst ? here : Duration.between(last, storeNow);
    last = storeNow;
    lastSentNanos = sentNanos;
    long ahead = there.minus(here).toMillis();
    if (ahead > Liveness.TIME_TOLERANCE_MS) {
      log.log(
          System.Logger.Level.WARNING,
          "The clock of the store went ahead by about " + ahead + " ms while a lease was held."
              + " Leases may end that much earlier than their holders count; check how the store"
              + " keeps its time");
    }
  }
}
