package dev.syncguard.fence.web;

import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.lock.Fence;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;

/** The data of a service, guarded as the guide says: early by what comes in, and once more by the transaction that writes. */
final class Ledger {

  static final String RESOURCE = "ledger";

  private final JdbcDataSource database = new JdbcDataSource();
  private final JdbcFenceGuard guard = JdbcFenceGuard.h2();

  Ledger() throws SQLException {
    database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection()) {
      guard.setupSchema(connection);
      connection.createStatement().execute("CREATE TABLE ledger (entry VARCHAR(40))");
      connection.createStatement().execute("INSERT INTO ledger VALUES ('none')");
    }
  }

  static Optional<String> resource(HttpServletRequest request) {
    return request.getMethod().equals("PUT") ? Optional.of(RESOURCE) : Optional.empty();
  }

  void check(String resource, Fence fence) throws SQLException {
    guard.write(resource, fence, database, connection -> {});
  }

  void write(Fence fence, String entry) throws SQLException {
    guard.write(RESOURCE, fence, database, connection -> {
      try (PreparedStatement update = connection.prepareStatement("UPDATE ledger SET entry = ?")) {
        update.setString(1, entry);
        update.executeUpdate();
      }
    });
  }

  String read() throws SQLException {
    try (Connection connection = database.getConnection();
        ResultSet rows = connection.createStatement().executeQuery("SELECT entry FROM ledger")) {
      rows.next();
      return rows.getString(1);
    }
  }
}
