package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.spi.StoreCheck.Severity.FAILURE;
import static dev.syncguard.lock.spi.StoreCheck.Severity.GOOD;
import static dev.syncguard.lock.spi.StoreCheck.Severity.WARNING;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.StoreCheck;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Examines a database: is it set up, can it be written to, and does it keep what we promise? */
final class PostgresCheck implements StoreCheck {

  private static final int OLDEST = 13;
  private static final int NEWEST_TRIED = 18;

  private final PostgresStore store;
  private final PostgresSchema schema;
  private final PostgresSql sql;

  PostgresCheck(PostgresStore store, PostgresSchema schema, PostgresSql sql) {
    this.store = store;
    this.schema = schema;
    this.sql = sql;
  }

  @Override
  public List<Finding> examine(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return store.run(session -> {
      Settings settings = session.query(Settings.QUERY, Settings::read).get(0);
      List<Finding> findings = new ArrayList<>();
      findings.add(version(settings.version));
      findings.add(writable(settings.readOnly));
      Set<String> missing = schema.missing(session);
      findings.add(tables(missing));
      findings.add(durability(settings));
      if (missing.isEmpty()) {
        List<String> lacking = schema.lackingRights(session);
        findings.add(rights(lacking));
        // Whoever may only look may not read the fences.
        if (lacking.stream().noneMatch(schema.rightToReadFences()::equals)) {
          findings.add(
              fences(session.query(sql.highestFence, row -> row.getLong(1)).get(0)));
        }
      }
      findings.add(pooler(store.isBehindPooler(session)));
      return findings;
    });
  }

  /** What the server is set to. */
  record Settings(
      int version, boolean readOnly, boolean fsync, boolean fullPageWrites, String commit) {
    static final String QUERY = "SELECT current_setting('server_version_num')::int,"
        + " current_setting('transaction_read_only')::boolean, current_setting('fsync')::boolean,"
        + " current_setting('full_page_writes')::boolean, current_setting('synchronous_commit')";

    static Settings read(ResultSet row) throws SQLException {
      return new Settings(
          row.getInt(1), row.getBoolean(2), row.getBoolean(3), row.getBoolean(4), row.getString(5));
    }
  }

  static Finding version(int number) {
    int major = number / 10_000;
    String version = "PostgreSQL " + major + "." + number % 10_000;
    if (major < OLDEST) {
      return new Finding(
          FAILURE, "server", version + " is too old; " + OLDEST + " is the oldest that works");
    }
    return major > NEWEST_TRIED
        ? new Finding(
            WARNING,
            "server",
            version + " is newer than what this release was tried on (" + NEWEST_TRIED + ")")
        : new Finding(GOOD, "server", version);
  }

  static Finding writable(boolean readOnly) {
    return readOnly
        ? new Finding(
            FAILURE,
            "writing",
            "Transactions are read-only here, most likely on a replica; connect to the primary")
        : new Finding(GOOD, "writing", "This server can be written to");
  }

  private static Finding tables(Set<String> missing) {
    return missing.isEmpty()
        ? new Finding(GOOD, "schema", "All tables and functions are there")
        : new Finding(
            FAILURE,
            "schema",
            String.join(", ", missing)
                + "; run setupSchema() once, or let a DBA run what printSchema() returns");
  }

  static Finding rights(List<String> lacking) {
    return lacking.isEmpty()
        ? new Finding(GOOD, "rights", "This role may take locks")
        : new Finding(
            WARNING,
            "rights",
            "This role may at most look at locks; to take them it lacks "
                + String.join(", ", lacking));
  }

  static Finding durability(Settings settings) {
    if (!settings.fsync || !settings.fullPageWrites) {
      return new Finding(
          WARNING,
          "durability",
          "fsync or full_page_writes is off: a crash of the machine can damage the database and"
              + " repeat fences; switch both on");
    }
    return new Finding(
        GOOD,
        "durability",
        "A grant is on disk before it is announced"
            + (settings.commit.equals("off") ? ", although synchronous_commit is off" : ""));
  }

  static Finding fences(long highest) {
    return highest <= Fence.WARN
        ? new Finding(GOOD, "fences", "The highest is " + highest + " of " + Fence.MAX)
        : new Finding(
            WARNING,
            "fences",
            "The highest is " + highest + " of " + Fence.MAX
                + "; move that resource to a new key before it is reached");
  }

  static Finding pooler(boolean inBetween) {
    return inBetween
        ? new Finding(
            WARNING,
            "wake-ups",
            "There is a connection pooler in between. If it lends sessions by the transaction,"
                + " waiters are not woken and look every "
                + PostgresSchema.TURN_MS / 2
                + " ms instead; connect directly, or in session mode, for quicker hand-offs")
        : new Finding(GOOD, "wake-ups", "A direct connection: waiters can be woken");
  }
}
