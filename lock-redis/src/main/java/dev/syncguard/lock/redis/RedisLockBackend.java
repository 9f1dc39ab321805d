package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.Cleanup;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * Locks on Redis, shared with every process that uses SyncGuard on the same server and key prefix, in whatever language.
 *
 * <p>{@code Locks.over(RedisLockBackend.connect("redis://localhost"))}, or {@link #over} with a client that you already
 * have. Each operation is one script and one round trip; the server's clock decides. How far a fence can be trusted after a
 * crash or a failover depends on the server: {@link #storeCheck()} says it. Thread-safe.
 */
public final class RedisLockBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities("redis", true, Capabilities.TimeAuthority.SERVER);

  // What the script isLocked answers, apart from "free".
  private static final Long LOCKED = 1L;
  private static final Long CLEANABLE = 2L;

  private final RedisServer server;
  private final RedisKeys keys;
  private final boolean ownsClient;
  private final Optional<Cleanup> cleanup;
  private final RedisLine line;
  private final Grants grants;

  private RedisLockBackend(Builder builder, UnifiedJedis client, boolean ownsClient) {
    this.keys = new RedisKeys(builder.keyPrefix);
    this.server = new RedisServer(client, keys);
    this.ownsClient = ownsClient;
    this.cleanup = Optional.ofNullable(builder.cleanup());
    if (builder.acks != null) {
      server.requireConnections();
    }
    this.grants = new Grants(server, this::releaseNow, Optional.ofNullable(builder.acks));
    this.line = new RedisLine(server, keys, grants, builder.reservation, builder.time);
  }

  /** Returns a backend over a client that stays the caller's to close, with every setting at its default. */
  public static RedisLockBackend over(UnifiedJedis client) {
    return builder(client).build();
  }

  /** Returns a backend with a client of its own, with every setting at its default; see {@link #builder(String)}. */
  public static RedisLockBackend connect(String url) {
    return builder(url).build();
  }

  /** Returns a builder for a backend over a client that stays the caller's to close. */
  public static Builder builder(UnifiedJedis client) {
    return new Builder(prefix -> client, false);
  }

  /**
   * Returns a builder for a backend with a client of its own.
   *
   * <p>The URL is {@code redis://host:port/database}, {@code redis+sentinel://host:port,host:port/master/database} or
   * {@code redis+cluster://host:port,host:port}; with {@code rediss} instead of {@code redis} the connections are encrypted.
   * User and password come from the environment, {@code SYNCGUARD_REDIS_USER} and {@code SYNCGUARD_REDIS_PASSWORD}, or, if
   * need be, from the URL.
   */
  public static Builder builder(String url) {
    RedisAddress address = RedisAddress.parse(url, System.getenv());
    return new Builder(address::connect, true);
  }

  /** Returns a builder for a backend with a client of its own. */
  public static Builder builder(RedisSettings settings) {
    return new Builder(settings::connect, true);
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return acquire(key, id, ttl, Optional.empty(), cancellation);
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return acquire(key, id, ttl, Optional.of(note), cancellation);
  }

  private AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    String lock = keys.lock(key);
    Object reply = grants.ask(
        Script.ACQUIRE,
        List.of(lock, keys.index(id), keys.fence(lock)),
        Grants.arguments(List.of(id.value(), Long.toString(ttl.millis()), key.value()), note),
        id,
        cancellation);
    return Grants.result(reply, key, id);
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return released(releaseNow(List.of(keys.index(id)), id, cancellation), id);
  }

  @Override
  public ReleaseResult release(LockKey key, LockId id, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return released(releaseNow(List.of(keys.index(id), keys.lock(key)), id, cancellation), id);
  }

  private static ReleaseResult released(Object reply, LockId id) {
    return id.value().equals(reply)
        ? new ReleaseResult.Released()
        : new ReleaseResult.Absent(absence(reply));
  }

  private Object releaseNow(LockId id) {
    return releaseNow(List.of(keys.index(id)), id, Cancellation.none());
  }

  private Object releaseNow(List<String> names, LockId id, Cancellation cancellation) {
    return server.run(
        Script.RELEASE,
        names,
        List.of(id.value(), line.reservationMillis(), line.serverKnowsItsListeners()),
        cancellation);
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    Object reply = grants.extend(
        List.of(keys.index(id)), List.of(id.value(), Long.toString(ttl.millis())), cancellation);
    return reply instanceof List<?> extended && id.value().equals(extended.get(0))
        ? new ExtendResult.Extended(Grants.instant(extended.get(1)))
        : new ExtendResult.Absent(absence(reply));
  }

  private static Absence absence(Object reply) {
    if (reply.equals("expired")) {
      return Absence.EXPIRED;
    }
    if (reply.equals("not-found")) {
      return Absence.NOT_FOUND;
    }
    throw RedisErrors.outOfStep();
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    String lock = keys.lock(key);
    Object reply = server.run(Script.IS_LOCKED, List.of(lock), List.of(), cancellation);
    if (!(reply instanceof Long)) {
      throw RedisErrors.outOfStep();
    }
    if (CLEANABLE.equals(reply)) {
      cleanup.ifPresent(cleaner -> cleaner.offer(() -> forget(lock)));
    }
    return LOCKED.equals(reply);
  }

  private void forget(String lock) {
    server.run(Script.FORGET, List.of(lock), List.of(keys.indexes()), Cancellation.none());
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    List<LockInfoDebug> found = query instanceof LockQuery.ById byId
        ? lookup(List.of(keys.index(byId.id())), List.of(byId.id().value()), cancellation)
        : lookup(List.of(keys.lock(((LockQuery.ByKey) query).key())), List.of(""), cancellation);
    return found.stream().findFirst();
  }

  /** Returns the live locks under several names; an index comes with the id that it leads from. */
  List<LockInfoDebug> lookup(List<String> names, List<String> ids, Cancellation cancellation) {
    Object answer = server.run(Script.LOOKUP, names, ids, cancellation);
    // Only this script begins with the time, and goes on with what it found.
    boolean ours = answer instanceof List<?> list
        && list.get(0) instanceof Long
        && list.stream().skip(1).allMatch(List.class::isInstance);
    if (!ours) {
      throw RedisErrors.outOfStep();
    }
    List<?> reply = (List<?>) answer;
    return reply.stream()
        .skip(1)
        .map(found -> describe((List<?>) found, reply.get(0)))
        .toList();
  }

  private static LockInfoDebug describe(List<?> found, Object now) {
    int waiting = Math.toIntExact((Long) found.get(6));
    return new LockInfoDebug(
        LockKey.of((String) found.get(0)),
        LockId.parse((String) found.get(1)),
        Fence.parse((String) found.get(2)),
        Grants.instant(found.get(3)),
        Grants.instant(found.get(4)),
        Grants.instant(now),
        LockNote.stored(found.get(5)),
        waiting < 0 ? OptionalInt.empty() : OptionalInt.of(waiting));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return server.connections().isPresent() ? Optional.of(line) : Optional.empty();
  }

  @Override
  public Optional<LockListing> listing() {
    return Optional.of(new RedisListing(server, keys, this));
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return server.connections().map(connections -> new RedisCheck(server, connections, keys));
  }

  @Override
  public void close() {
    cleanup.ifPresent(Cleanup::close);
    server.close();
    line.close();
    if (ownsClient) {
      server.client().close();
    }
  }

  /** Collects the settings of a {@link RedisLockBackend}. Not thread-safe. */
  public static final class Builder {
    private final Function<RedisKeys, UnifiedJedis> client;
    private final boolean ownsClient;
    private String keyPrefix = RedisKeys.DEFAULT_PREFIX;
    private Time time = Time.system();
    private Duration reservation = RedisLine.RESERVATION;
    private @Nullable Duration cleanupInterval;
    private @Nullable Executor cleanupExecutor;
    private @Nullable ReplicaAcks acks;

    private Builder(Function<RedisKeys, UnifiedJedis> client, boolean ownsClient) {
      this.client = client;
      this.ownsClient = ownsClient;
    }

    /**
     * Sets what all our keys on the server begin with. The default is {@code syncguard}.
     *
     * <p>Processes share locks if and only if they share the prefix. A cluster needs a prefix with a hash tag, such as
     * {@code {syncguard}}, which keeps all locks in one slot.
     */
    public Builder keyPrefix(String prefix) {
      new RedisKeys(prefix);
      this.keyPrefix = prefix;
      return this;
    }

    /**
     * Lets {@code isLocked} have a record removed that is dead for more than two seconds, at most once in the interval and
     * by a thread of the backend. Off by default, and hardly ever needed: records leave by themselves.
     */
    public Builder cleanupInIsLocked(Duration interval) {
      if (interval.isNegative() || interval.isZero()) {
        throw LockException.invalidArgument("The interval between cleanups must be above zero");
      }
      this.cleanupInterval = interval;
      return this;
    }

    /**
     * Refuses, and takes back, a lock that fewer replicas have confirmed within the given time; an extension that fewer
     * confirm does not count. Off by default.
     *
     * <p>Redis confirms a write before its replicas have it. A failover can then forget the latest locks and hand out their
     * fences a second time; with this setting it cannot, provided that one of the confirming replicas is promoted.
     */
    public Builder minReplicasAcked(int replicas, Duration within) {
      this.acks = new ReplicaAcks(replicas, within);
      return this;
    }

    /** For tests, which must not depend on being fast: sets how long a lock is kept for the waiter whose turn it is. */
    Builder reservation(Duration length) {
      this.reservation = length;
      return this;
    }

    /** For tests: sets who cleans; a thread of the backend by default. */
    Builder cleanupExecutor(Executor executor) {
      this.cleanupExecutor = executor;
      return this;
    }

    private @Nullable Cleanup cleanup() {
      if (cleanupInterval == null) {
        return null;
      }
      return cleanupExecutor == null
          ? Cleanup.every(cleanupInterval, time)
          : Cleanup.every(cleanupInterval, time, cleanupExecutor);
    }

    /** For tests: sets what silence and the pace of cleanups are measured with. */
    Builder time(Time time) {
      this.time = time;
      return this;
    }

    /** Returns the backend. Over a client of the caller it sends nothing yet. */
    public RedisLockBackend build() {
      return new RedisLockBackend(this, client.apply(new RedisKeys(keyPrefix)), ownsClient);
    }
  }
}
