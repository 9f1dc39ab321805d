package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.Liveness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Our tables and functions: what creates them, and whether they are there.
 *
 * <p>The text is in {@code postgres-schema.sql}; a word after an @ stands for what only Java knows.
 */
final class PostgresSchema {

  /** How long a key that became free is kept for the waiter that was called. */
  static final long TURN_MS = 200;

  /** Milliseconds since 1970, by the server's clock at this very moment rather than at the start of the transaction. */
  static final String SYSTEM_CLOCK = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  /** Waits until nobody else changes the lock of a key. A snapshot older than that would show locks as they no longer are. */
  private static final String ENTER = """
      IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
          RAISE EXCEPTION USING ERRCODE = '%s', MESSAGE = 'Locks need the isolation level READ COMMITTED';
        END IF;
        done := set_config('lock_timeout', patience_ms::text, true);
        done := pg_advisory_xact_lock(hashtext(the_key))::text;""".formatted(PostgresErrors.WRONG_ISOLATION);

  /** Makes a commit wait for the disk, and for the synchronous standby if there is one. */
  private static final String SYNC = """
      IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
          done := set_config('synchronous_commit', 'on', true);
        END IF;""";

  private static final List<String> FUNCTIONS =
      List.of("first_in_line", "acquire", "annotate", "release", "extend", "leave", "forget");

  private static final Pattern WORD = Pattern.compile("@([a-z_]+)");
  private static final Pattern BODY = Pattern.compile(
      "FUNCTION (?:\"\\w+\"\\.)?\"(\\w+)\"\\(.*?\\$syncguard\\$(.*?)\\$syncguard\\$;",
      Pattern.DOTALL);

  /** Any number will do, as long as all who set up agree on it. */
  private static final String ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7308898237891)";

  /** Tables that a crash takes back would take their fences with them. */
  private static final String DURABLY = "SET LOCAL synchronous_commit = on";

  private final PostgresNames names;
  private final String ddl;

  PostgresSchema(PostgresNames names, String clock) {
    this.names = names;
    Map<String, String> words = words(names, clock);
    this.ddl = WORD.matcher(template())
        .replaceAll(word -> Matcher.quoteReplacement(
            Objects.requireNonNull(words.get(word.group(1)), word.group())));
  }

  private static Map<String, String> words(PostgresNames names, String clock) {
    Map<String, String> words = new HashMap<>();
    words.put("locks", names.locksTable());
    words.put("fences", names.fencesTable());
    words.put("waiters", names.waitersTable());
    words.put("notes", names.notesTable());
    words.put("lock_id_index", names.index("lock_id"));
    words.put("expires_index", names.index("expires"));
    FUNCTIONS.forEach(function -> words.put(function, names.function(function)));
    words.put("now", clock);
    words.put("live", Liveness.inSql("ends_at_ms", "now_ms"));
    words.put("cleanable", Liveness.cleanableInSql("d.expires_at_ms", clock));
    words.put("tolerance_ms", Long.toString(Liveness.TIME_TOLERANCE_MS));
    words.put("turn_ms", Long.toString(TURN_MS));
    words.put("last_fence", Long.toString(Fence.MAX));
    words.put("enter", ENTER);
    words.put("sync", SYNC);
    words.put("no_fence_left", PostgresErrors.NO_FENCE_LEFT);
    words.put("damaged_fence", PostgresErrors.DAMAGED_FENCE);
    return words;
  }

  private static String template() {
    try (InputStream text = PostgresSchema.class.getResourceAsStream("postgres-schema.sql")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all that a DBA has to run. */
  String print() {
    return """
        -- What SyncGuard for Java needs in a PostgreSQL database, 13 or newer. It may be run again at any time.

        BEGIN;

        """
        + ddl
        + """

        COMMIT;

        -- A role that takes locks needs no more than this; one that only looks needs SELECT on the first
        -- table, and on the next two if it is to be shown notes and how many wait.
        --
        """
        + names
            .schema()
            .map(
                schema -> "-- GRANT USAGE ON SCHEMA " + PostgresNames.quoted(schema) + " TO ...;\n")
            .orElse("")
        + "-- GRANT SELECT, INSERT, UPDATE, DELETE ON " + names.locksTable() + ", "
        + names.waitersTable() + ", " + names.notesTable() + " TO ...;\n"
        + "-- GRANT SELECT, INSERT, UPDATE ON " + names.fencesTable() + " TO ...;\n";
  }

  /** Creates what is missing. Any number of processes may do so at the same time. */
  void setUp(PostgresStore store) {
    store.run(session -> {
      requirePrimary(session);
      if (!missing(session).isEmpty()) {
        session.inTransaction(List.of(DURABLY, ONE_AT_A_TIME, ddl));
      }
      return true;
    });
  }

  /** Throws {@code InvalidArgument} and says what is missing or different, if anything is. */
  void verify(PostgresStore store) {
    Set<String> missing = store.run(session -> {
      requirePrimary(session);
      return missing(session);
    });
    if (!missing.isEmpty()) {
      throw LockException.invalidArgument(
          "The lock store is not set up: " + String.join(", ", missing)
              + "; run setupSchema() once, or let a DBA run what printSchema() returns");
    }
  }

  private static void requirePrimary(PostgresSession session) throws SQLException {
    if (session.query("SELECT pg_is_in_recovery()", row -> row.getBoolean(1)).get(0)) {
      throw PostgresErrors.standby();
    }
  }

  /** Returns what is missing or different, in words. */
  Set<String> missing(PostgresSession session) throws SQLException {
    Set<String> missing = new TreeSet<>();
    missing.addAll(missingColumns(session));
    missing.addAll(missingFunctions(session));
    if (missing.isEmpty() && !hasUniqueLockIds(session)) {
      missing.add("no unique index on lock_id of table " + names.locks());
    }
    return missing;
  }

  /** Returns the rights that taking locks needs and that this role does not have. */
  List<String> lackingRights(PostgresSession session) throws SQLException {
    List<String> lacking = new ArrayList<>();
    for (String table : List.of(
        names.locksTable(), names.waitersTable(), names.notesTable(), names.fencesTable())) {
      for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE")) {
        boolean needed = !(right.equals("DELETE") && table.equals(names.fencesTable()));
        if (needed && !has(session, table, right)) {
          lacking.add(right(right, table));
        }
      }
    }
    return lacking;
  }

  String rightToReadFences() {
    return right("SELECT", names.fencesTable());
  }

  private static String right(String right, String table) {
    return right + " on " + table;
  }

  private static boolean has(PostgresSession session, String table, String right)
      throws SQLException {
    return session
        .query("SELECT has_table_privilege(?, ?)", row -> row.getBoolean(1), table, right)
        .get(0);
  }

  private Set<String> missingColumns(PostgresSession session) throws SQLException {
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    wanted.put(
        names.locks(),
        List.of(
            "key text",
            "lock_id text",
            "expires_at_ms bigint",
            "acquired_at_ms bigint",
            "fence text",
            "user_key text"));
    wanted.put(names.fences(), List.of("fence_key text", "fence bigint", "key_debug text"));
    wanted.put(
        names.waiters(),
        List.of(
            "key text",
            "ticket bigint",
            "lock_id text",
            "channel text",
            "token bigint",
            "called_at_ms bigint",
            "seen_at_ms bigint"));
    wanted.put(names.notes(), List.of("key text", "lock_id text", "note text"));
    Set<String> missing = new TreeSet<>();
    for (Map.Entry<String, List<String>> table : wanted.entrySet()) {
      List<String> found = session.query(
          """
          SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
          WHERE c.relname = ? AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND\
          """ + here("c.relnamespace", "pg_table_is_visible(c.oid)"),
          row -> row.getString(1),
          table.getKey());
      List<String> lacking = new ArrayList<>(table.getValue());
      lacking.removeAll(found);
      if (found.isEmpty()) {
        missing.add("no table " + table.getKey());
      } else {
        lacking.forEach(column -> missing.add("no column " + column + " in " + table.getKey()));
      }
    }
    return missing;
  }

  private Set<String> missingFunctions(PostgresSession session) throws SQLException {
    Map<String, String> found = new HashMap<>();
    session.query(
        "SELECT p.proname, p.prosrc FROM pg_proc p WHERE p.proname LIKE ? AND"
            + here("p.pronamespace", "pg_function_is_visible(p.oid)"),
        row -> found.put(row.getString(1), row.getString(2)),
        names.functionName("").replace("_", "\\_") + "%");
    Set<String> missing = new TreeSet<>();
    Matcher wanted = BODY.matcher(ddl);
    while (wanted.find()) {
      if (!found.containsKey(wanted.group(1))) {
        missing.add("no function " + wanted.group(1));
      } else if (!wanted.group(2).equals(found.get(wanted.group(1)))) {
        missing.add("another version of function " + wanted.group(1));
      }
    }
    return missing;
  }

  private boolean hasUniqueLockIds(PostgresSession session) throws SQLException {
    return !session
        .query(
            """
            SELECT 1 FROM pg_index i
            JOIN pg_class c ON c.oid = i.indrelid
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE c.relname = ? AND i.indisunique AND i.indisvalid AND i.indnatts = 1 AND i.indpred IS NULL
              AND a.attname = 'lock_id' AND\
            """ + here("c.relnamespace", "pg_table_is_visible(c.oid)"), row -> true, names.locks())
        .isEmpty();
  }

  private String here(String namespace, String visible) {
    return names
        .schema()
        .map(schema ->
            " " + namespace + " = (SELECT oid FROM pg_namespace WHERE nspname = '" + schema + "')")
        .orElse(" " + visible);
  }
}
