package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.measure.Participant;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** The least that a lock with a fence and a ttl needs, written by hand: one durable upsert, one durable UPDATE. */
final class HandWrittenLock implements Participant {

  private static final String ACQUIRE = """
      INSERT INTO lock VALUES (?1, ?2, 1, unixepoch() + 30)
      ON CONFLICT (key) DO UPDATE SET owner = ?2, fence = fence + 1, until = excluded.until
      WHERE owner IS NULL OR until < unixepoch()
      RETURNING fence""";
  private static final String RELEASE =
      "UPDATE lock SET owner = NULL WHERE key = ?1 AND owner = ?2";

  private final String name;
  private final Connection connection;
  private final PreparedStatement acquire;
  private final PreparedStatement release;

  HandWrittenLock(String name, Path file) throws SQLException {
    this.name = name;
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    connection = config.createConnection("jdbc:sqlite:" + file);
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE TABLE lock (key TEXT NOT NULL PRIMARY KEY, owner TEXT,"
          + " fence INTEGER, until INTEGER) WITHOUT ROWID");
    }
    acquire = connection.prepareStatement(ACQUIRE);
    release = connection.prepareStatement(RELEASE);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Worker worker(int thread) {
    return new Worker() {
      private final Rows rows = new Rows(thread);

      @Override
      public void once() throws SQLException {
        pair("key-" + rows.next(), "owner-" + thread);
      }
    };
  }

  private void pair(String key, String owner) throws SQLException {
    synchronized (acquire) {
      acquire.setString(1, key);
      acquire.setString(2, owner);
      try (ResultSet rows = acquire.executeQuery()) {
        if (!rows.next()) {
          throw new IllegalStateException("A free key was refused");
        }
        rows.next();
      }
    }
    synchronized (acquire) {
      release.setString(1, key);
      release.setString(2, owner);
      release.executeUpdate();
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
