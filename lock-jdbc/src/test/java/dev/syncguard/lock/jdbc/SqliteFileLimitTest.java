package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operating system refuses a write, in the middle of a commit. */
class SqliteFileLimitTest {

  private static final int FAR_TOO_MANY = 2_000;

  /** Takes one key after the other until that fails, and says how many it got and why it got no more. */
  static final class Taker {
    public static void main(String[] arguments) {
      int granted = 0;
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]))) {
        while (granted < FAR_TOO_MANY) {
          backend.acquire(
              LockKey.of("key " + granted),
              LockId.random(new SecureRandom()),
              Ttl.ofMillis(60_000),
              Cancellation.none());
          granted++;
        }
        System.out.println(granted + " without end");
      } catch (LockException e) {
        System.out.println(granted + " " + e.code());
      }
    }
  }

  @Test
  void aGrantThatCouldNotBeWrittenIsNone() {
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      Path file = directory.path().resolve("locks.db");
      SqliteLockBackend.open(file).close();
      // 1.75 MiB: enough for the driver to unpack its library, too little for the write-ahead log.
      List<String> limited = List.of("sh", "-c", "ulimit -f 3584; exec \"$@\"", "sh");
      try (ChildJvm child = ChildJvm.runBy(limited, Taker.class, file)) {
        String[] words = child.nextLine().split(" ", -1);
        assertThat(words[1]).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE.name());
        assertThat(Long.parseLong(words[0])).isPositive();
        assertThat(RawSqlite.number(file, "SELECT count(*) FROM locks"))
            .isEqualTo(Long.parseLong(words[0]));
      }
      assertThat(RawSqlite.text(file, "PRAGMA integrity_check")).isEqualTo("ok");
    }
  }
}
