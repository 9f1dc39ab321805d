package dev.syncguard.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerTest {

  @TempDir
  Path directory;

  @Test
  void whatTheServerCountsIsWhatWasSentAndNotTheQuestion() throws Exception {
    try (RedisServer server = RedisServer.start(directory);
        Pings pings = new Pings(server.url())) {
      pings.underLock("connect", () -> {});
      ServerWork before = server.work();
      assertThat(counts(server.work().since(before))).containsExactly(0L, 0L, 0L);

      before = server.work();
      pings.underLock("any", () -> {});

      assertThat(counts(server.work().since(before))).containsExactly(2L, 2L, 28L);
    }
  }

  @Test
  void theHandWrittenFloorIsALockWithAFence() throws Exception {
    try (RedisServer server = RedisServer.start(directory);
        HandWrittenLock lock = new HandWrittenLock(server.url())) {
      lock.underLock("key", () -> {});
      ServerWork before = server.work();

      lock.underLock("key", () -> assertThat(server.keys()).isEqualTo(2));

      assertThat(server.work().since(before).commands())
          .as("two scripts of two commands each, and the count of keys")
          .isEqualTo(7);
      assertThat(server.keys()).as("the fence stays").isEqualTo(1);
    }
  }

  private static List<Long> counts(ServerWork work) {
    return List.of(work.reads(), work.commands(), work.bytesIn());
  }
}
