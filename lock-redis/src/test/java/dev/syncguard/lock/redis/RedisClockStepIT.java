package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server whose clock steps ahead of ours; seen from here, ours then stands still while the server's goes on. */
class RedisClockStepIT extends OneServer {

  private static final Duration TTL = Duration.ofSeconds(1);

  private final ShiftedTime time = new ShiftedTime();

  private void awaitOnServer(long millis) throws InterruptedException {
    while (serverMillis() < millis) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private long serverMillis() {
    List<String> now = jedis.time();
    return Long.parseLong(now.get(0)) * 1000 + Long.parseLong(now.get(1)) / 1000;
  }

  @Test
  void aLeaseWhoseEndTheServersClockSteppedOverIsLostAlthoughTheServerExtendsIt() throws Exception {
    try (Locks locks = Locks.builder(backend).time(time).build()) {
      Lease lease = locks.lock("report").ttl(TTL).acquire();
      awaitOnServer(lease.expiresAt().toEpochMilli());
      time.pass(Duration.ofHours(-1));
      assertThat(lease.isHeld()).as("nothing has shown the step yet").isTrue();
      assertThat(lease.extend(Duration.ofMinutes(5))).isFalse();
      assertThat(lease.isHeld()).isFalse();
    }
  }
}
