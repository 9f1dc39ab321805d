package dev.syncguard.cli;

import org.sqlite.JDBC;
import org.sqlite.SQLiteJDBCLoader;

/** Starts SQLite's driver on a thread of its own: that takes as long as all else that a bare command does. */
final class SqliteDriver extends Thread {

  private SqliteDriver() {
    super("sqlite-driver");
    setDaemon(true);
  }

  /** Returns at once; whoever connects meanwhile waits for what is still missing. */
  static void startBeside() {
    new SqliteDriver().start();
  }

  @Override
  public void run() {
    try {
      Class.forName(JDBC.class.getName());
      SQLiteJDBCLoader.initialize();
    } catch (Exception | LinkageError e) {
      // Whoever connects meets the same, and tells.
    }
  }
}
