package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever uses one database needs the driver of that one only. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DriversTest {

  /** Opens a lock store of each kind and says what came of it. */
  static final class BothStores {
    public static void main(String[] arguments) {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]))) {
        System.out.println(backend.isLocked(LockKey.of("report"), Cancellation.none()));
      } catch (LockException e) {
        System.out.println(e.getMessage());
      }
      try (PostgresLockBackend backend =
          PostgresLockBackend.connect("postgresql://127.0.0.1:1/x")) {
        System.out.println(backend.isLocked(LockKey.of("report"), Cancellation.none()));
      } catch (LockException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static List<String> saidWithout(String jar) {
    try (TemporaryDirectory directory = new TemporaryDirectory();
        ChildJvm child =
            ChildJvm.runWithout(jar, BothStores.class, directory.path().resolve("locks.db"))) {
      return child.rest();
    }
  }

  @Test
  void postgresqlWorksWithoutTheDriverOfSqlite() {
    List<String> said = saidWithout("sqlite-jdbc");
    assertThat(said.get(0)).contains("add org.xerial:sqlite-jdbc");
    assertThat(said.get(1)).contains("There is no connection to the database");
  }

  @Test
  void sqliteWorksWithoutTheDriverOfPostgresql() {
    List<String> said = saidWithout("postgresql-");
    assertThat(said.get(0)).isEqualTo("false");
    assertThat(said.get(1)).contains("add org.postgresql:postgresql");
  }
}
