package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a PostgreSQL database, in the tables of the TypeScript SyncGuard.
 *
 * <p>Each operation is one statement on a connection of its own that commits by itself: it never joins a transaction of
 * the caller. A grant is on disk before it is announced, whatever the server's default is. {@link #setupSchema()} is
 * needed once for each database. Thread-safe.
 */
public final class PostgresLockBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities("postgres", true, Capabilities.TimeAuthority.SERVER);

  private final PostgresStore store;
  private final PostgresSchema schema;
  private final PostgresSql sql;
  private final PostgresGrants grants;
  private final PostgresLooks looks;
  private final PostgresLine line;
  private final Optional<Cleanup> cleanup;

  private PostgresLockBackend(PostgresStore store, PostgresNames names, Builder builder) {
    this.store = store;
    schema = new PostgresSchema(names, builder.clock);
    sql = new PostgresSql(names, builder.clock);
    grants = new PostgresGrants(store, sql);
    looks = new PostgresLooks(store, sql);
    line = new PostgresLine(store, sql, grants, builder.time);
    cleanup = Optional.ofNullable(builder.cleanup());
  }

  /** Returns a backend over connections that the caller's pool lends; it is not closed with the backend. */
  public static PostgresLockBackend over(DataSource source) {
    return builder(source).build();
  }

  /**
   * Returns a backend with up to ten connections of its own, and one more while somebody waits.
   *
   * @param url such as {@code postgresql://host:5432/database?sslmode=verify-full}; user and password are taken from
   *     {@code SYNCGUARD_POSTGRES_USER} and {@code SYNCGUARD_POSTGRES_PASSWORD}, then from {@code PGUSER} and {@code
   *     PGPASSWORD}, then from the URL
   */
  public static PostgresLockBackend connect(String url) {
    return builder(url).build();
  }

  /** Returns a builder for a backend like that of {@link #over}. */
  public static Builder builder(DataSource source) {
    return new Builder(
        (timeout) -> new PostgresStore(PostgresConnections.of(source), source, timeout));
  }

  /** Returns a builder for a backend like that of {@link #connect}. */
  public static Builder builder(String url) {
    Drivers.require("org.postgresql.ds.PGSimpleDataSource", "org.postgresql:postgresql");
    return new Builder(PostgresAddress.parse(url, System.getenv())::connect);
  }

  /**
   * Creates the tables and functions that are missing, and changes nothing else.
   *
   * <p>Many processes may do so at the same time. When all is there, no more rights are needed than for locking.
   */
  public void setupSchema() {
    schema.setUp(store);
  }

  /** Throws {@code InvalidArgument} if tables or functions are missing or of another version. Changes nothing. */
  public void verifySchema() {
    schema.verify(store);
  }

  /** Returns the statements that {@link #setupSchema} would run, and the rights that a role needs, for a DBA. */
  public String printSchema() {
    return schema.print();
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return grants.acquire(key, id, ttl, Optional.empty(), cancellation);
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return grants.acquire(key, id, ttl, Optional.of(note), cancellation);
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return release(PostgresSession.Absent.TEXT, id, cancellation);
  }

  @Override
  public ReleaseResult release(LockKey key, LockId id, Cancellation cancellation) {
    return release(PostgresGrants.NAMES.lock(key), id, cancellation);
  }

  private ReleaseResult release(Object lock, LockId id, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    String outcome = store
        .queryUninterruptibly(
            cancellation,
            sql.release,
            row -> row.getString(1),
            lock,
            id.value(),
            store.lockPatienceMillis())
        .get(0);
    return outcome.equals("RELEASED")
        ? new ReleaseResult.Released()
        : new ReleaseResult.Absent(Absence.valueOf(outcome));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return store
        .query(
            cancellation,
            sql.extend,
            PostgresLockBackend::extension,
            id.value(),
            ttl.millis(),
            store.lockPatienceMillis())
        .get(0);
  }

  private static ExtendResult extension(ResultSet row) throws SQLException {
    String outcome = row.getString(1);
    return outcome.equals("EXTENDED")
        ? new ExtendResult.Extended(Instant.ofEpochMilli(row.getLong(2)))
        : new ExtendResult.Absent(Absence.valueOf(outcome));
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    String lock = PostgresGrants.NAMES.lock(key);
    boolean locked = !store.query(cancellation, sql.isLocked, row -> true, lock).isEmpty();
    if (!locked) {
      cleanup.ifPresent(cleaner ->
          cleaner.offer(() -> store.query(Cancellation.none(), sql.forget, row -> true, lock)));
    }
    return locked;
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return looks.lookup(query, cancellation);
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
    return Optional.of(looks);
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return Optional.of(new PostgresCheck(store, schema, sql));
  }

  @Override
  public void close() {
    cleanup.ifPresent(Cleanup::close);
    line.close();
    store.close();
  }

  /** Says how a backend uses its database. Not thread-safe. */
  public static final class Builder {
    private final Function<Duration, PostgresStore> connecting;
    private Optional<String> schema = PostgresNames.STANDARD.schema();
    private String tableName = PostgresNames.STANDARD.locks();
    private String fenceTableName = PostgresNames.STANDARD.fences();
    private boolean cleansUp;
    private Duration cleanupInterval = Duration.ofSeconds(1);
    private @Nullable Executor cleanupExecutor;
    private Duration timeout = Duration.ofSeconds(5);
    private Time time = Time.system();
    private String clock = PostgresSchema.SYSTEM_CLOCK;

    private Builder(Function<Duration, PostgresStore> connecting) {
      this.connecting = connecting;
    }

    /** Sets the schema of the tables and functions. The default is what the role's search path says. */
    public Builder schema(String name) {
      this.schema = Optional.of(name);
      names();
      return this;
    }

    /** Sets the names of the tables of locks and of fences, which must differ in more than case. */
    public Builder tables(String locks, String fences) {
      this.tableName = locks;
      this.fenceTableName = fences;
      names();
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

    /**
     * Sets how long one answer of the server may take, 5 seconds by default. For half of that the server waits for
     * other sessions.
     */
    public Builder timeout(Duration atMost) {
      if (atMost.compareTo(Duration.ofMillis(10)) < 0
          || atMost.compareTo(Duration.ofHours(1)) > 0) {
        throw LockException.invalidArgument("The timeout must be between 10 ms and 1 hour");
      }
      this.timeout = atMost;
      return this;
    }

    /** Sets how often {@code isLocked} may clean, for tests. */
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
      return cleanupExecutor == null
          ? Cleanup.every(cleanupInterval, time)
          : Cleanup.every(cleanupInterval, time, cleanupExecutor);
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

    private PostgresNames names() {
      return new PostgresNames(schema, tableName, fenceTableName);
    }

    /** Returns the backend. Sends nothing yet. */
    public PostgresLockBackend build() {
      return new PostgresLockBackend(connecting.apply(timeout), names(), this);
    }
  }
}
