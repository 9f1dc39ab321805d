package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.SemaphoreProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("slow")
class SqliteSemaphoreProcessesTest {

  static final class Waiting {
    public static void main(String[] args) throws IOException {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[0]))) {
        SemaphoreProcesses.live(backend);
      }
    }
  }

  @Test
  void processesGetPermitsInTheOrderOfTheirArrivalAndPassOverOneThatWasKilled(
      @TempDir Path directory) throws Exception {
    Path file = directory.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(file)) {
      SemaphoreProcesses.assertServedInTheOrderOfArrival(
          backend, () -> ChildJvm.run(Waiting.class, file));
    }
  }
}
