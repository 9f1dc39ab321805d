package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.Liveness;

/** What is in the file, and how a file tells that it is ours. */
final class SqliteSchema {

  /** "SyGu", in the header of every file of ours. */
  static final int APPLICATION_ID = 0x53794775;

  /** Grows with every change of the tables that an older version of this library would not understand. */
  static final int VERSION = 1;

  /** Waiters whose turn it is come first, and lose it if they do not take the key within this time. */
  static final long TURN_MS = 500;

  /**
   * The tables.
   *
   * <p>A key keeps its row, and with it its fence, for ever; {@code lock_id} is null while nobody holds it. The index
   * knows only keys that are held, so that it stays small beside a million fences.
   */
  static final String CREATE = """
      CREATE TABLE locks (
        key            TEXT    NOT NULL PRIMARY KEY,
        lock_id        TEXT,
        fence          INTEGER NOT NULL CHECK (fence BETWEEN 1 AND %d),
        acquired_at_ms INTEGER NOT NULL,
        expires_at_ms  INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE UNIQUE INDEX locks_by_id ON locks (lock_id) WHERE lock_id IS NOT NULL;

      CREATE TABLE waiters (
        key     TEXT    NOT NULL,
        ticket  INTEGER NOT NULL,
        lock_id TEXT    NOT NULL,
        PRIMARY KEY (key, ticket)
      ) STRICT, WITHOUT ROWID;

      -- Who is served leaves the line; so do those who stood before it and let a free key go by.
      CREATE TRIGGER served AFTER UPDATE OF lock_id ON locks WHEN new.lock_id IS NOT NULL
      BEGIN
        DELETE FROM waiters WHERE key = new.key AND (
          lock_id = new.lock_id
          OR (old.lock_id IS NULL OR NOT %s) AND ticket < coalesce(
            (SELECT ticket FROM waiters WHERE key = new.key AND lock_id = new.lock_id), %d));
      END;

      PRAGMA application_id = %d;
      PRAGMA user_version = %d;
      """.formatted(
          Fence.MAX,
          Liveness.inSql("old.expires_at_ms", "new.acquired_at_ms"),
          Long.MAX_VALUE,
          APPLICATION_ID,
          VERSION);

  private SqliteSchema() {}
}
