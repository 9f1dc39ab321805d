package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.SemaphoreProcesses;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PostgresSemaphoreProcessesIT {

  static final class Waiting {
    public static void main(String[] args) throws IOException {
      try (PostgresLockBackend backend = PostgresLockBackend.connect(args[0])) {
        SemaphoreProcesses.live(backend);
      }
    }
  }

  @Test
  void processesGetPermitsInTheOrderOfTheirArrivalAndPassOverOneThatWasKilled() throws Exception {
    try (PostgresDatabase database = new PostgresDatabase();
        PostgresLockBackend backend = database.open()) {
      SemaphoreProcesses.assertServedInTheOrderOfArrival(
          backend, () -> ChildJvm.run(Waiting.class, database.url()));
    }
  }
}
