package com.example.worker;

import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.lock.Fence;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteDataSource;

/** An account in a database, which lets no late holder of its lock book. */
final class Account {

  private final SQLiteDataSource database = new SQLiteDataSource();
  private final JdbcFenceGuard guard;

  Account(Path file, JdbcFenceGuard guard) throws SQLException {
    this.guard = guard;
    database.setUrl("jdbc:sqlite:" + file);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      guard.setupSchema(connection);
      statement.execute("create table account (balance integer not null)");
      statement.execute("insert into account values (0)");
    }
  }

  /** Books in one transaction with the check of the fence: either both happen or neither. */
  void book(int amount, Fence fence) throws SQLException {
    guard.write("account:42", fence, database, connection -> {
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("update account set balance = balance + " + amount);
      }
    });
  }

  int balance() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select balance from account")) {
      return row.getInt(1);
    }
  }
}
