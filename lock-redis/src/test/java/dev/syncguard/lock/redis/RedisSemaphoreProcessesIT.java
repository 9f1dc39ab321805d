package dev.syncguard.lock.redis;

import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.SemaphoreProcesses;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RedisSemaphoreProcessesIT extends OneServer {

  static final class Waiting {
    public static void main(String[] args) throws IOException {
      try (RedisLockBackend backend = RedisLockBackend.connect(args[0])) {
        SemaphoreProcesses.live(backend);
      }
    }
  }

  @Test
  void processesGetPermitsInTheOrderOfTheirArrivalAndPassOverOneThatWasKilled() throws Exception {
    SemaphoreProcesses.assertServedInTheOrderOfArrival(
        backend, () -> ChildJvm.run(Waiting.class, server.url()));
  }
}
