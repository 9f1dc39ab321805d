package dev.syncguard.fence;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table with the highest fence of each resource, in the words of each database.
 *
 * <p>Raising a fence always leaves its row locked until the transaction ends, so that holders of different fences wait for one
 * another. Texts are compared byte by byte: names that differ in case or in blanks at the end are different resources.
 */
enum SeenFences {
  POSTGRES("VARCHAR(512) COLLATE \"C\"") {
    @Override
    boolean raise(Connection connection, String resource, long fence) throws SQLException {
      return upsert(connection, resource, fence);
    }
  },

  SQLITE("TEXT") {
    @Override
    boolean raise(Connection connection, String resource, long fence) throws SQLException {
      return upsert(connection, resource, fence);
    }
  },

  /** MySQL and MariaDB. The number of changed rows depends on a setting of the driver, so it is not asked. */
  MYSQL("VARBINARY(512)") {
    @Override
    boolean raise(Connection connection, String resource, long fence) throws SQLException {
      byte[] name = resource.getBytes(StandardCharsets.UTF_8);
      update(
          connection,
          "INSERT INTO " + TABLE + " (resource, fence) VALUES (?, ?)"
              + " ON DUPLICATE KEY UPDATE fence = GREATEST(fence, ?)",
          name,
          fence,
          fence);
      // Not a plain read: that would show what was there when the transaction began.
      try (PreparedStatement select = connection.prepareStatement(
          "SELECT fence FROM " + TABLE + " WHERE resource = ? FOR UPDATE")) {
        select.setBytes(1, name);
        try (ResultSet rows = select.executeQuery()) {
          return rows.next() && rows.getLong(1) == fence;
        }
      }
    }
  },

  /** H2 has no statement that both inserts and updates without failing when two insert at once. */
  H2("VARCHAR(512)") {
    @Override
    boolean raise(Connection connection, String resource, long fence) throws SQLException {
      return updated(connection, resource, fence)
          || inserted(connection, resource, fence)
          || updated(connection, resource, fence);
    }

    private boolean updated(Connection connection, String resource, long fence)
        throws SQLException {
      return update(
              connection,
              "UPDATE " + TABLE + " SET fence = ? WHERE resource = ? AND fence <= ?",
              fence,
              resource,
              fence)
          == 1;
    }

    private boolean inserted(Connection connection, String resource, long fence)
        throws SQLException {
      try {
        return update(
                connection,
                "INSERT INTO " + TABLE + " (resource, fence) SELECT ?, ?"
                    + " WHERE NOT EXISTS (SELECT 1 FROM " + TABLE + " WHERE resource = ?)",
                resource,
                fence,
                resource)
            == 1;
      } catch (SQLException e) {
        if (DUPLICATE_KEY.equals(e.getSQLState())) {
          // Somebody else was faster. The transaction goes on.
          return false;
        }
        throw e;
      }
    }
  };

  private static final String TABLE = "syncguard_seen_fences";
  private static final String DUPLICATE_KEY = "23505";

  private final String schema;

  SeenFences(String nameType) {
    schema = "CREATE TABLE IF NOT EXISTS syncguard_seen_fences (resource " + nameType
        + " NOT NULL PRIMARY KEY, fence BIGINT NOT NULL)";
  }

  String schema() {
    return schema;
  }

  /** Makes this the highest fence of the resource, and returns whether it was not below the highest so far. */
  abstract boolean raise(Connection connection, String resource, long fence) throws SQLException;

  private static boolean upsert(Connection connection, String resource, long fence)
      throws SQLException {
    return update(
            connection,
            "INSERT INTO " + TABLE + " (resource, fence) VALUES (?, ?) ON CONFLICT (resource)"
                + " DO UPDATE SET fence = excluded.fence WHERE " + TABLE
                + ".fence <= excluded.fence",
            resource,
            fence)
        == 1;
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }
}
