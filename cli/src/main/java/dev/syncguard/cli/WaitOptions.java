package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How long to wait for a lock that somebody else holds. */
final class WaitOptions {

  private static final Duration DEFAULT = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Only for stores that cannot wake their waiters. */
  private static final RetryPolicy POLLING = new RetryPolicy(
      Integer.MAX_VALUE,
      Duration.ofMillis(250),
      RetryPolicy.Backoff.FIXED,
      RetryPolicy.Jitter.EQUAL);

  @ArgGroup(exclusive = true)
  private @Nullable Choice choice;

  /** One or the other. */
  static final class Choice {
    @Option(
        names = "--wait",
        paramLabel = "DURATION",
        converter = Durations.class,
        description = "Wait up to this long for the lock (default: 5s).")
    private @Nullable Duration wait;

    @Option(names = "--no-wait", description = "Try once; exit at once when the lock is busy.")
    private boolean noWait;
  }

  /** Throws if the wait is not one that a lock can be asked for. */
  void check() {
    if (patience().compareTo(LONGEST) > 0) {
      throw LockException.invalidArgument("--wait must be at most 365d");
    }
  }

  /** Returns the lease, or empty if somebody else held the key for as long as we were told to wait. */
  Optional<Lease> acquire(LockRequest request, Cancellation cancellation) {
    LockRequest cancellable = request.cancelWith(cancellation);
    Duration patience = patience();
    if (patience.isZero()) {
      return cancellable.tryAcquire();
    }
    try {
      return Optional.of(cancellable.waitUpTo(patience).polling(POLLING).acquire());
    } catch (LockException e) {
      if (e.code() == LockException.Code.ACQUISITION_TIMEOUT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private Duration patience() {
    if (choice == null) {
      return DEFAULT;
    }
    return choice.noWait || choice.wait == null ? Duration.ZERO : choice.wait;
  }
}
