package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a store has lost data, what the guide says raises the fences above those that resources have seen. */
class RecoveryGuideIT {

  private static final Path GUIDE = Path.of("..", "docs", "guide", "operating.md");

  private static String statement(String store) throws Exception {
    Matcher block = Pattern.compile("```sql " + store + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(GUIDE));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static long nextFence(LockBackend backend) {
    try (Locks locks = Locks.over(backend);
        Lease lease = locks.lock("payment:42").waitUpTo(Duration.ofMinutes(1)).acquire()) {
      return lease.fence().value();
    }
  }

  @Test
  void theStatementForSqliteRaisesTheFence(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("locks.db");
    try (LockBackend backend = SqliteLockBackend.open(file)) {
      RawSqlite.execute(file, statement("sqlite"));
      assertThat(nextFence(backend)).isEqualTo(4712);
      RawSqlite.execute(file, statement("sqlite"));
      assertThat(nextFence(backend)).as("never lowered").isEqualTo(4713);
    }
  }

  @Test
  void theStatementForPostgresRaisesTheFence() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase();
        PostgresLockBackend backend = PostgresLockBackend.over(database.source())) {
      backend.setupSchema();
      database.execute(statement("postgres"));
      assertThat(nextFence(backend)).isEqualTo(4712);
      database.execute(statement("postgres"));
      assertThat(nextFence(backend)).as("never lowered").isEqualTo(4713);
    }
  }
}
