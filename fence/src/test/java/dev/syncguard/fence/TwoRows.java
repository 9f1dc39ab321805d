package dev.syncguard.fence;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Two rows of a database that belong together: a write that is torn leaves them different. */
final class TwoRows {

  private final DataSource source;

  TwoRows(String url) {
    source = new DriverManagerSource(url);
  }

  /** Returns the guard for the database that an address leads to. */
  static JdbcFenceGuard guard(String url) {
    return switch (url.split(":", -1)[1]) {
      case "postgresql" -> JdbcFenceGuard.postgres();
      case "sqlite" -> JdbcFenceGuard.sqlite();
      case "mariadb" -> JdbcFenceGuard.mysql();
      case "h2" -> JdbcFenceGuard.h2();
      default -> throw new IllegalArgumentException(url);
    };
  }

  DataSource source() {
    return source;
  }

  void create() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS syncguard_seen_fences");
      statement.execute("DROP TABLE IF EXISTS halves");
      statement.execute("CREATE TABLE halves (id INTEGER PRIMARY KEY, content VARCHAR(40))");
      statement.execute("INSERT INTO halves (id, content) VALUES (1, 'none')");
      statement.execute("INSERT INTO halves (id, content) VALUES (2, 'none')");
    }
  }

  static void write(Connection connection, String text) throws SQLException {
    for (int id = 1; id <= 2; id++) {
      try (PreparedStatement statement =
          connection.prepareStatement("UPDATE halves SET content = ? WHERE id = ?")) {
        statement.setString(1, text);
        statement.setInt(2, id);
        statement.executeUpdate();
      }
    }
  }

  List<String> read() throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT content FROM halves ORDER BY id")) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  /** A new connection each time. */
  private record DriverManagerSource(String url) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return DriverManager.getConnection(url);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
