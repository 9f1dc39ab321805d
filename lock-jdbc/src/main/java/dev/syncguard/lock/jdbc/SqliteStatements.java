package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.jdbc.SqliteSession.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of one connection, each prepared once. Not thread-safe. */
final class SqliteStatements {

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  SqliteStatements(Connection connection) {
    this.connection = connection;
  }

  /** Runs a statement and returns the rows that it answers with. */
  <T> List<T> run(String sql, Row<T> row, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = prepared(sql);
    try {
      return run(statement, row, arguments);
    } catch (SQLException e) {
      // The driver lets no statement live on that has failed.
      prepared.remove(sql);
      statement.close();
      throw e;
    }
  }

  private static <T> List<T> run(
      PreparedStatement statement, Row<T> row, @Nullable Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    List<T> answers = new ArrayList<>(1);
    try (ResultSet rows = statement.executeQuery()) {
      // To the very end: a statement commits when it is asked for the row after the last one, and
      // closing it earlier would hide a commit that failed.
      while (rows.next()) {
        answers.add(row.read(rows));
      }
    }
    return answers;
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }
}
