package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Time;
import dev.syncguard.lock.firestore.ClockHealth.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches over our wall clock by the times that Firestore puts into its answers.
 *
 * <p>Firestore looked at its clock at some moment between our request and its answer. So the quicker the answer, the more
 * it says. The best one is kept until a better one comes; it gets a little worse every second, because clocks drift, and
 * it is dropped when a newer one contradicts it, because then our clock was set. Thread-safe.
 */
final class ClockSkewMonitor {

  private static final System.Logger log = System.getLogger(ClockSkewMonitor.class.getName());

  /** Far more than clocks drift, so that an old answer gives way to a new one within minutes. */
  private static final double DRIFT = 1e-3;

  private final Time time;
  private final boolean refuses;
  private final Consumer<ClockHealth> listener;
  private @Nullable Sample best;
  private Level told = Level.ON_TARGET;

  private record Sample(Duration offset, Duration error, long atNanos) {
    Duration errorAt(long nanos) {
      return error.plusNanos((long) ((nanos - atNanos) * DRIFT));
    }

    boolean contradicts(Sample other, long nanos) {
      Duration apart = offset.minus(other.offset).abs();
      return apart.compareTo(errorAt(nanos).plus(other.errorAt(nanos))) > 0;
    }
  }

  ClockSkewMonitor(Time time, boolean refuses, Consumer<ClockHealth> listener) {
    this.time = time;
    this.refuses = refuses;
    this.listener = listener;
  }

  /**
   * Takes note of an answer.
   *
   * @param sentNanos a monotonic reading from before the request
   * @param ours our wall clock after the answer
   * @param answeredNanos a monotonic reading from after that
   * @param theirs what Firestore's clock said
   */
  void observe(long sentNanos, Instant ours, long answeredNanos, Instant theirs) {
    Duration half = Duration.ofNanos((answeredNanos - sentNanos) / 2);
    Sample sample = new Sample(Duration.between(theirs, ours).minus(half), half, answeredNanos);
    ClockHealth news = null;
    synchronized (this) {
      if (best == null
          || sample.contradicts(best, answeredNanos)
          || sample.error.compareTo(best.errorAt(answeredNanos)) <= 0) {
        best = sample;
      }
      ClockHealth health = health();
      if (health.level() != told) {
        told = health.level();
        news = health;
      }
    }
    if (news != null) {
      tell(news);
    }
  }

  private void tell(ClockHealth news) {
    if (news.level().compareTo(Level.WARN) >= 0) {
      log.log(
          System.Logger.Level.WARNING,
          () -> "The clock of this machine differs from Firestore's by " + news
              + "; locks on Firestore are safe only while clocks agree: check its time service");
    }
    try {
      listener.accept(news);
    } catch (RuntimeException | Error e) {
      // Whoever listens must not disturb those who lock.
      log.log(System.Logger.Level.WARNING, () -> "A listener for clock health failed", e);
    }
  }

  synchronized ClockHealth health() {
    return best == null
        ? ClockHealth.UNKNOWN
        : ClockHealth.of(best.offset, best.errorAt(time.nanos()));
  }

  /** Returns whether one may lock by the clock: not if it is too far off and we were told to mind. */
  boolean isTrusted() {
    return !refuses || health().level() != Level.BLOCK;
  }

  /** Throws unless {@link #isTrusted()}. */
  void requireTrust() {
    if (!isTrusted()) {
      throw FirestoreErrors.unavailable("The clock of this machine differs from Firestore's by "
          + health() + ", which is not safe to lock by; check its time service");
    }
  }
}
