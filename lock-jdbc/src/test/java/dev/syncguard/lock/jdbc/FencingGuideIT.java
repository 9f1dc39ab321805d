package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements that the guide on fences gives people turn away late holders, and nobody else. */
class FencingGuideIT {

  private static final Path GUIDE = Path.of("..", "docs", "fencing.md");
  private static final String TABLE =
      "CREATE TABLE account (id VARCHAR(20) PRIMARY KEY, balance BIGINT NOT NULL, fence BIGINT NOT NULL)";

  private static String statement(String name) throws IOException {
    Matcher block = Pattern.compile("```sql " + name + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE));
    assertThat(block.find()).as("a statement called %s", name).isTrue();
    return block.group(1);
  }

  private static int run(Connection database, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  private static void check(Connection database) throws Exception {
    run(database, TABLE);
    run(database, "INSERT INTO account VALUES ('42', 0, 0)");
    String row = statement("row");
    assertThat(run(database, row, 100L, 41L, "42", 41L)).as("the first holder").isOne();
    assertThat(run(database, row, 110L, 41L, "42", 41L)).as("once more").isOne();
    assertThat(run(database, row, 200L, 42L, "42", 42L)).as("the second").isOne();
    assertThat(run(database, row, 120L, 41L, "42", 41L)).as("the first, late").isZero();

    run(database, statement("guard-table"));
    String guard = statement("guard");
    assertThat(run(database, guard, "accounts", 41L)).as("the first holder").isOne();
    assertThat(run(database, guard, "accounts", 41L)).as("once more").isOne();
    assertThat(run(database, guard, "accounts", 42L)).as("the second").isOne();
    assertThat(run(database, guard, "accounts", 41L)).as("the first, late").isZero();
    assertThat(run(database, guard, "others", 7L)).as("another resource").isOne();
  }

  @Test
  void theyDoOnSqlite(@TempDir Path directory) throws Exception {
    try (Connection database = RawSqlite.connect(directory.resolve("resource.db"))) {
      check(database);
    }
  }

  @Test
  void theyDoOnPostgres() throws Exception {
    try (PostgresDatabase resource = new PostgresDatabase();
        Connection database = resource.source().getConnection()) {
      check(database);
    }
  }
}
