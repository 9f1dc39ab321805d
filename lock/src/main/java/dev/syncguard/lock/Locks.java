package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseRegistry;
import dev.syncguard.lock.lease.LeaseServices;
import dev.syncguard.lock.lease.PendingReleases;
import dev.syncguard.lock.lease.RememberedFences;
import dev.syncguard.lock.runtime.AsyncCall;
import dev.syncguard.lock.runtime.Deadline;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.runtime.SystemBackground;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.waiting.RequestOptions;
import dev.syncguard.lock.waiting.WaitingRoom;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Locks on a store: {@code Locks.over(backend).lock("payment:42").run(lease -> pay(lease.fence()))}.
 *
 * <p>Thread-safe, and made to be shared by all threads of a process: those that wait for one key wait in one queue here,
 * and the highest fence of each key is remembered, so that a store that lost data is noticed.
 */
public final class Locks extends StoredLocks implements AutoCloseable {

  /** How many keys a process remembers the highest fence of. */
  private static final int REMEMBERED_KEYS = 10_000;

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_CLOSE = Duration.ofHours(1);

  private final RandomGenerator random;
  private final ReleaseErrorHandler onReleaseError;
  private final Optional<LockNote> note;
  private final WaitingRoom room;
  private final LockListeners listeners;
  private final LeaseIssuer issuer;
  private final Elections elections = new Elections();
  private final Optional<Thread> shutdownHook;
  private volatile boolean closed;

  private Locks(Builder builder) {
    super(servicesOf(builder));
    random = builder.random;
    onReleaseError = builder.onReleaseError;
    note = Optional.ofNullable(builder.note);
    listeners = new LockListeners(
        builder.listeners, builder.backend.capabilities().backend(), builder.time);
    room = new WaitingRoom(
        builder.pollingOnly ? Optional.empty() : builder.backend.waitingLine(),
        services,
        random,
        builder.maxHandOffs);
    issuer = new LeaseIssuer(this, services, room, listeners, random);
    shutdownHook = builder.releaseOnShutdown
        ? Optional.of(new Thread(this::close, "syncguard-shutdown"))
        : Optional.empty();
  }

  private static LeaseServices servicesOf(Builder builder) {
    Background background =
        builder.background == null ? new SystemBackground() : builder.background;
    return new LeaseServices(
        builder.backend,
        builder.time,
        background,
        new PendingReleases(builder.backend, builder.time, background, builder.random),
        new RememberedFences(REMEMBERED_KEYS),
        new LeaseRegistry(),
        Optional.ofNullable(builder.closeTimeout));
  }

  /** Returns locks on the given backend, with every setting at its default. */
  public static Locks over(LockBackend backend) {
    return builder(backend).build();
  }

  /** Returns a builder for those who want to change a setting. */
  public static Builder builder(LockBackend backend) {
    return new Builder(backend);
  }

  private RequestOptions defaults() {
    return RequestOptions.defaults(onReleaseError, note);
  }

  /** Begins a request for one key. */
  public LockRequest lock(String key) {
    return new LockRequest(this, LockKey.of(key), defaults());
  }

  /** Begins a request for several keys, all or nothing. They are taken in one order everywhere, so nobody deadlocks. */
  public LockAllRequest lockAll(String... keys) {
    return lockAll(Arrays.asList(keys));
  }

  /** Begins a request for several keys, all or nothing. They are taken in one order everywhere, so nobody deadlocks. */
  public LockAllRequest lockAll(Collection<String> keys) {
    return LockAllRequest.of(this, keys, defaults());
  }

  /**
   * Begins a request for one of so many permits, from 1 to {@link Semaphore#MOST_PERMITS}. All that share a name must agree on
   * the number: whoever knows of more permits may take them.
   */
  public Semaphore semaphore(String name, int permits) {
    return Semaphore.of(this, name, permits, defaults());
  }

  /** Stands for election with {@link ElectionTiming#DEFAULT}; see {@link #elect(String, Candidate, ElectionTiming)}. */
  public LeaderElection elect(String key, Candidate candidate) {
    return elect(key, candidate, ElectionTiming.DEFAULT);
  }

  /**
   * Stands for election: among all that stand for the same key, in whatever process, one at a time is leader.
   *
   * <p>The election goes on until it is closed, or these locks are: then a leader is told to stop first, and only then is the
   * key given to the next one.
   */
  public LeaderElection elect(String key, Candidate candidate, ElectionTiming timing) {
    LeaderElection election =
        new LeaderElection(this, LockKey.of(key), candidate, timing, defaults(), services, random);
    elections.add(election);
    try {
      requireOpen();
      election.start();
    } catch (RuntimeException | Error e) {
      elections.remove(election);
      throw e instanceof LockException known ? known : LockErrors.noBackground(e);
    }
    return election;
  }

  void forget(LeaderElection election) {
    elections.remove(election);
  }

  boolean isClosed() {
    return closed;
  }

  Optional<Lease> tryAcquire(LockKey key, RequestOptions options) {
    return issuer.tryAcquire(key, options);
  }

  Lease acquire(LockKey key, RequestOptions options) {
    return issuer.acquire(key, options);
  }

  @Override
  void requireOpen() {
    if (closed) {
      throw new LockException(
          LockException.Code.INTERNAL, "These locks were closed; nothing was sent. Make new ones");
    }
  }

  <T> CompletableFuture<T> async(
      RequestOptions options, Function<Cancellation, T> call, Consumer<T> discard) {
    return AsyncCall.start(
        listeners.carrying(services.background()), options.cancellation(), call, discard);
  }

  /** Returns whether nobody waits here. */
  boolean isIdle() {
    return room.isEmpty();
  }

  /** Returns how many wait for which key, in this process; for people who look. */
  public Map<LockHash, Integer> waiters() {
    return room.waiters();
  }

  /** Returns how many wait here. */
  int waiting() {
    return room.size();
  }

  LockBackend backend() {
    return services.backend();
  }

  Time time() {
    return services.time();
  }

  RandomGenerator random() {
    return random;
  }

  /**
   * Ends waits with {@code Aborted}, closes all elections, releases every lease that was handed out, and refuses further
   * requests.
   *
   * <p>Their holders learn through {@link Lease#whenLost()} that they have nothing any more. This takes as long as the
   * store's answers, but not more than the dispose timeout, or five seconds if none was set; what is not done by then goes
   * on in the background. Without a dispose timeout leaders have, before that, their time to stop and as long to release. One
   * that has not stopped keeps its key until it has or its lease is over. The backend stays open: it belongs to whoever made it.
   */
  @Override
  public void close() {
    closed = true;
    room.close();
    Optional<Deadline> inAll =
        services.closeTimeout().map(timeout -> new Deadline(timeout, services.time()));
    // Before anything is released: a leader has to stop first.
    elections.close(inAll, services.time());
    List<Lease> held = services.registry().all().stream()
        .filter(lease -> !elections.lead(lease))
        .toList();
    Deadline released = inAll.orElseGet(() -> new Deadline(CLOSE_LIMIT, services.time()));
    ReleaseAll.within(released, held, services.background());
    shutdownHook.ifPresent(Locks::removeShutdownHook);
  }

  private static void removeShutdownHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is this hook that runs now.
    }
  }

  /** Collects the settings of {@link Locks}. Not thread-safe. */
  public static final class Builder {
    private final LockBackend backend;
    private Time time = Time.system();
    private RandomGenerator random = new SecureRandom();
    private @Nullable Background background;
    private ReleaseErrorHandler onReleaseError = ReleaseErrorHandler.logging();
    private @Nullable LockNote note;
    private @Nullable Duration closeTimeout;
    private int maxHandOffs = 16;
    private final List<LockListener> listeners = new ArrayList<>();
    private boolean releaseOnShutdown;
    private boolean pollingOnly;

    private Builder(LockBackend backend) {
      this.backend = Objects.requireNonNull(backend);
    }

    /** Sets where time comes from. The default is this machine. */
    public Builder time(Time source) {
      this.time = Objects.requireNonNull(source);
      return this;
    }

    /** Sets where lock ids and jitter come from; outside of tests it must be cryptographically strong. */
    public Builder random(RandomGenerator source) {
      this.random = Objects.requireNonNull(source);
      return this;
    }

    /** Sets who does the work in the background. The default is daemon threads that end when idle. */
    public Builder background(Background worker) {
      this.background = Objects.requireNonNull(worker);
      return this;
    }

    /** Sets who learns about releases that failed. The default is {@link ReleaseErrorHandler#logging()}. */
    public Builder onReleaseError(ReleaseErrorHandler handler) {
      this.onReleaseError = Objects.requireNonNull(handler);
      return this;
    }

    /**
     * Stores a note beside every lock, such as {@link LockNote#ofThisProcess()}, which tells people who look at the store
     * who the holder is. The default is none; {@link Request#note(LockNote)} sets another for one request.
     */
    public Builder note(LockNote holder) {
      this.note = Objects.requireNonNull(holder);
      return this;
    }

    /**
     * Bounds how long closing a lease, a group of leases or {@link Locks} may take, up to an hour. The default for leases is
     * as long as the store's own timeouts allow.
     */
    public Builder disposeTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_CLOSE) > 0) {
        throw LockException.invalidArgument(
            "A dispose timeout must be above zero and at most an hour; leave it out to have none");
      }
      this.closeTimeout = timeout;
      return this;
    }

    /** Adds somebody who learns of every request and what becomes of it. By default there is nobody, and it costs nothing. */
    public Builder listener(LockListener listener) {
      listeners.add(Objects.requireNonNull(listener));
      return this;
    }

    /** Closes the locks when the JVM shuts down in an orderly way, so that others need not wait for the ttl. */
    public Builder releaseOnShutdown() {
      this.releaseOnShutdown = true;
      return this;
    }

    /**
     * Sets how often in a row a key is handed from thread to thread within this process before others get their turn. The
     * default is 16; with 0 every release goes to the store.
     */
    public Builder maxHandOffs(int inARow) {
      if (inARow < 0) {
        throw LockException.invalidArgument(
            "The number of hand-offs in a row must not be negative");
      }
      this.maxHandOffs = inARow;
      return this;
    }

    /** Lets waiters poll even if the store could wake them. */
    public Builder pollingOnly() {
      this.pollingOnly = true;
      return this;
    }

    /** Creates the locks, which keep threads of their own until they are closed. */
    public Locks build() {
      Locks locks = new Locks(this);
      locks.shutdownHook.ifPresent(Runtime.getRuntime()::addShutdownHook);
      return locks;
    }
  }
}
