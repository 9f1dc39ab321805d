package dev.syncguard.lock.firestore;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.Cleanup;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link FirestoreLockBackend}. Not thread-safe. */
public final class FirestoreLockBackendBuilder {

  private final Supplier<FirestoreClient> client;
  final boolean ownsClient;
  String collection = LockDocuments.DEFAULT_LOCKS;
  String fenceCollection = LockDocuments.DEFAULT_FENCES;
  Time time = Time.system();
  Duration timeout = Duration.ofSeconds(10);
  boolean refusesUnsafeClock = true;
  boolean strictTakeover;
  int maxListeners = 50;
  Consumer<ClockHealth> onClockHealth = health -> {};
  Consumer<SuspectLease> onSuspectLease = lease -> {};

  private @Nullable Duration cleanupInterval;
  private @Nullable Executor cleanupExecutor;

  FirestoreLockBackendBuilder(Supplier<FirestoreClient> client, boolean ownsClient) {
    this.client = client;
    this.ownsClient = ownsClient;
  }

  /** Sets the collection of the locks. The default is {@code locks}. Processes that share locks share the collection. */
  public FirestoreLockBackendBuilder collection(String name) {
    this.collection = LockDocuments.requireName(name);
    return this;
  }

  /**
   * Sets the collection of the fence counters, which must be another one than that of the locks. The default is
   * {@code fence_counters}. Nothing there is ever deleted; put no TTL policy on it.
   */
  public FirestoreLockBackendBuilder fenceCollection(String name) {
    this.fenceCollection = LockDocuments.requireName(name);
    return this;
  }

  /**
   * Lets {@code isLocked} have the document of a lock removed that is dead for more than two seconds, at most once in the
   * interval and by a thread of the backend. Off by default, and hardly ever needed: the next holder overwrites it.
   */
  public FirestoreLockBackendBuilder cleanupInIsLocked(Duration interval) {
    this.cleanupInterval = positive(interval, "The interval between cleanups");
    return this;
  }

  /**
   * Sets how long an operation may take, all its requests together, before it fails with {@code NetworkTimeout}. The
   * default is 10 seconds, the most is an hour.
   */
  public FirestoreLockBackendBuilder timeout(Duration longest) {
    if (longest.compareTo(Duration.ofHours(1)) > 0) {
      throw LockException.invalidArgument("The timeout must be at most an hour");
    }
    this.timeout = positive(longest, "The timeout");
    return this;
  }

  /**
   * Takes locks even while this machine's clock is surely 500 ms or more away from Firestore's, and only logs that.
   *
   * <p>By default such a lock is refused: two clients whose clocks differ by more than a second can hold it at once, and
   * nobody can see the other's clock.
   */
  public FirestoreLockBackendBuilder allowUnsafeClock() {
    this.refusesUnsafeClock = false;
    return this;
  }

  /** Sets who is told whenever {@link ClockHealth#level()} changes. The listener should return quickly. */
  public FirestoreLockBackendBuilder onClockHealth(Consumer<ClockHealth> listener) {
    this.onClockHealth = listener;
    return this;
  }

  /**
   * Sets who is told about each lease that {@link FirestoreLockBackend#isSuspect} doubts, once, as soon as we notice. The
   * listener should return quickly.
   */
  public FirestoreLockBackendBuilder onSuspectLease(Consumer<SuspectLease> listener) {
    this.onSuspectLease = listener;
    return this;
  }

  /**
   * Overtakes the lease of somebody else only after it was seen unchanged for its remaining time on this machine's
   * monotonic clock. Off by default.
   *
   * <p>What remains when it is first seen is told by the times that Firestore's own clock put on its documents. So a
   * client whose clock is fast no longer steals locks from others, however fast it is. A client that dies while its own
   * clock is fast may be waited for a little longer.
   */
  public FirestoreLockBackendBuilder strictTakeover() {
    this.strictTakeover = true;
    return this;
  }

  /**
   * Sets how many keys may be listened to at the same time. The default is 50. Whoever waits for another key meanwhile asks once a
   * second.
   *
   * <p>Each listener takes one of the 100 streams that Google allows for a connection. A client has one connection unless its
   * channel provider says otherwise, and when all its streams are taken, everything else waits, renewals included. So leave
   * room for whoever else uses the client, and allow more if it has more connections.
   */
  public FirestoreLockBackendBuilder maxListeners(int most) {
    if (most < 0) {
      throw LockException.invalidArgument("The number of listeners must not be negative");
    }
    this.maxListeners = most;
    return this;
  }

  /** For tests: sets who cleans; a thread of the backend by default. */
  FirestoreLockBackendBuilder cleanupExecutor(Executor executor) {
    this.cleanupExecutor = executor;
    return this;
  }

  @Nullable
  Cleanup cleanup() {
    if (cleanupInterval == null) {
      return null;
    }
    return cleanupExecutor == null
        ? Cleanup.every(cleanupInterval, time)
        : Cleanup.every(cleanupInterval, time, cleanupExecutor);
  }

  /** For tests: sets the clock. */
  FirestoreLockBackendBuilder time(Time clock) {
    this.time = clock;
    return this;
  }

  private static Duration positive(Duration duration, String what) {
    if (duration.isNegative() || duration.isZero()) {
      throw LockException.invalidArgument(what + " must be above zero");
    }
    return duration;
  }

  /** Opens the backend, or throws {@code InvalidArgument} if locks and fences would share a collection. */
  public FirestoreLockBackend build() {
    LockDocuments.requireDistinct(collection, fenceCollection);
    return new FirestoreLockBackend(this, client.get());
  }
}
