package dev.syncguard.lock.jdbc;

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
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks in one SQLite file, between all threads and processes of one machine.
 *
 * <p>Needs no server. A grant is on disk before it is announced, so that not even a loss of power repeats a fence. The
 * file must be on a local disk: over a network file system, processes on several machines would not see each other.
 * Threads may share a backend; processes each open their own.
 */
public final class SqliteLockBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities("sqlite", true, Capabilities.TimeAuthority.SERVER);

  private final SqliteStore store;
  private final SqliteSql sql;
  private final Optional<Cleanup> cleanup;
  private final SqliteLine line;

  private SqliteLockBackend(Builder builder) {
    SqliteFile file = new SqliteFile(builder.file, builder.busyTimeout);
    if (builder.createsDirectory) {
      file.createDirectory();
    }
    store = new SqliteStore(file, builder.busyTimeout);
    sql = new SqliteSql(builder.clock);
    cleanup = Optional.ofNullable(builder.cleanup());
    line = new SqliteLine(this, store, sql, file.realPath());
  }

  /** Opens the lock store in this file, which is created if it is missing. */
  public static SqliteLockBackend open(Path file) {
    return builder(file).build();
  }

  /** Returns a builder for the lock store in this file. */
  public static Builder builder(Path file) {
    return new Builder(file);
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
    AcquireResult result = acquireOnce(key, id, ttl, note, cancellation);
    boolean wasKeptForNobody = result instanceof AcquireResult.Contended
        && !isHeld(key, cancellation)
        && !line.callFirst(key.value());
    return wasKeptForNobody ? acquireOnce(key, id, ttl, note, cancellation) : result;
  }

  AcquireResult acquireOnce(
      LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, Cancellation cancellation) {
    return granted(
        key,
        () -> store.writeDurably(
            store.interruptibly(cancellation),
            sql.acquire,
            SqliteLockBackend::grant,
            key.value(),
            id.value(),
            ttl.millis(),
            text(note)));
  }

  private static @Nullable String text(Optional<LockNote> note) {
    return note.map(LockNote::text).orElse(null);
  }

  /** Ends one lease and begins another. Part of giving back the first, so no interrupt comes between. */
  AcquireResult takeOver(LockKey key, LockId from, LockId to, Ttl ttl, Optional<LockNote> note) {
    return granted(
        key,
        () -> store.writeDurably(
            store.uninterruptibly(Cancellation.none()),
            sql.takeOver,
            SqliteLockBackend::grant,
            key.value(),
            to.value(),
            ttl.millis(),
            from.value(),
            text(note)));
  }

  private static AcquireResult granted(
      LockKey key, Supplier<List<AcquireResult.Acquired>> attempt) {
    try {
      List<AcquireResult.Acquired> grants = attempt.get();
      if (grants.isEmpty()) {
        return new AcquireResult.Contended();
      }
      FenceWarning.check(grants.get(0).fence(), key);
      return grants.get(0);
    } catch (LockException e) {
      throw e.about(key);
    }
  }

  private static AcquireResult.Acquired grant(ResultSet row) throws SQLException {
    return AcquireResult.Acquired.at(row.getLong(3), new Fence(row.getLong(1)), row.getLong(2));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    List<Ending> answer =
        store.write(store.uninterruptibly(cancellation), sql.release, Ending::read, id.value());
    if (answer.isEmpty()) {
      return new ReleaseResult.Absent(Absence.NOT_FOUND);
    }
    Ending ending = answer.get(0);
    if (ending.isAwaited) {
      line.callFirst(ending.key);
    }
    return ending.wasLive
        ? new ReleaseResult.Released()
        : new ReleaseResult.Absent(Absence.EXPIRED);
  }

  /** How a lease ended, and whether somebody stands in line for its key. */
  private record Ending(boolean wasLive, String key, boolean isAwaited) {
    static Ending read(ResultSet row) throws SQLException {
      return new Ending(row.getBoolean(1), row.getString(2), row.getBoolean(3));
    }
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    List<ExtendResult> answer = store.writeDurably(
        store.interruptibly(cancellation),
        sql.extend,
        row -> row.getBoolean(1)
            ? new ExtendResult.Extended(instant(row, 2))
            : new ExtendResult.Absent(Absence.EXPIRED),
        id.value(),
        ttl.millis());
    return answer.isEmpty() ? new ExtendResult.Absent(Absence.NOT_FOUND) : answer.get(0);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    boolean locked = isHeld(key, cancellation);
    if (!locked) {
      cleanup.ifPresent(cleaner -> cleaner.offer(() -> forget(key)));
    }
    return locked;
  }

  boolean isHeld(LockKey key, Cancellation cancellation) {
    return !store
        .read(store.interruptibly(cancellation), sql.isLocked, row -> true, key.value())
        .isEmpty();
  }

  /** Forgets a lease that ended long ago. */
  private void forget(LockKey key) {
    store.write(store.interruptibly(Cancellation.none()), sql.forget, row -> true, key.value());
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    Waiting waiting = store.interruptibly(cancellation);
    List<LockInfoDebug> found = query instanceof LockQuery.ByKey byKey
        ? store.read(
            waiting, sql.lookupByKey, SqliteLockBackend::info, byKey.key().value())
        : store.read(
            waiting,
            sql.lookupById,
            SqliteLockBackend::info,
            ((LockQuery.ById) query).id().value());
    return found.stream().findFirst();
  }

  private List<LockInfoDebug> live(int limit, Cancellation cancellation) {
    return store.read(
        store.interruptibly(cancellation), sql.live, SqliteLockBackend::info, (long) limit);
  }

  private static LockInfoDebug info(ResultSet row) throws SQLException {
    return new LockInfoDebug(
        LockKey.of(row.getString(1)),
        LockId.parse(row.getString(2)),
        new Fence(row.getLong(3)),
        instant(row, 4),
        instant(row, 5),
        instant(row, 6),
        LockNote.stored(row.getString(7)),
        OptionalInt.of(row.getInt(8)));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return Instant.ofEpochMilli(row.getLong(column));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return Optional.of(line);
  }

  @Override
  public Optional<LockListing> listing() {
    return Optional.of(this::live);
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return Optional.of(new SqliteCheck(store));
  }

  @Override
  public void close() {
    cleanup.ifPresent(Cleanup::close);
    line.close();
    store.close();
  }

  /** Says how a lock store is opened. Not thread-safe. */
  public static final class Builder {
    private final Path file;
    private boolean createsDirectory;
    private boolean cleansUp;
    private Duration cleanupInterval = Duration.ofSeconds(1);
    private @Nullable Executor cleanupExecutor;
    private Duration busyTimeout = Duration.ofSeconds(5);
    private @Nullable Time time;
    private String clock = SqliteSql.SYSTEM_CLOCK;

    private Builder(Path file) {
      this.file = file;
    }

    /** Creates the directory of the file if it is missing, for this user alone. By default it must exist. */
    public Builder createDirectory() {
      this.createsDirectory = true;
      return this;
    }

    /**
     * Sets whether {@code isLocked} also lets the lease of the key it was asked about be forgotten once that ended more
     * than two seconds ago, at most once a second, by a thread of the backend. The fence stays. The default is no.
     */
    public Builder cleanupInIsLocked(boolean cleanup) {
      this.cleansUp = cleanup;
      return this;
    }

    /** Sets how long a call waits while other processes write, before it says so. The default is 5 seconds. */
    public Builder busyTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.compareTo(Duration.ofHours(1)) > 0) {
        throw LockException.invalidArgument("The busy timeout must be between 0 and 1 hour");
      }
      this.busyTimeout = timeout;
      return this;
    }

    /** Sets how far apart cleanups are at least, for tests. */
    Builder cleanupInterval(Duration interval) {
      this.cleanupInterval = interval;
      return this;
    }

    /** Sets who cleans, for tests; a thread of the backend by default. */
    Builder cleanupExecutor(Executor executor) {
      this.cleanupExecutor = executor;
      return this;
    }

    private @Nullable Cleanup cleanup() {
      if (!cleansUp) {
        return null;
      }
      // Asked for only here: whoever looks once, as the command line does, does not wait for its
      // set-up.
      Time pace = time == null ? Time.system() : time;
      return cleanupExecutor == null
          ? Cleanup.every(cleanupInterval, pace)
          : Cleanup.every(cleanupInterval, pace, cleanupExecutor);
    }

    /** Sets what the pace of the cleanup is measured with, for tests. */
    Builder time(Time time) {
      this.time = time;
      return this;
    }

    /** Sets the SQL expression that tells the time, so that a test can keep it in a table. */
    Builder clock(String expression) {
      this.clock = expression;
      return this;
    }

    /** Opens the store. */
    public SqliteLockBackend build() {
      Drivers.require("org.sqlite.SQLiteConfig", "org.xerial:sqlite-jdbc");
      return new SqliteLockBackend(this);
    }
  }
}
