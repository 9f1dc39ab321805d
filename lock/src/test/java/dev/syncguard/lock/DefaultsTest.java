package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.RetryPolicy.Backoff;
import dev.syncguard.lock.RetryPolicy.Jitter;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds as long as nobody sets anything. */
class DefaultsTest {

  private final ManualTime time = ManualTime.skipping();
  private final Locks locks = Locks.builder(new MemoryLockBackend(time))
      .time(time)
      .background(time.background())
      .build();

  @Test
  void aLeaseLastsThirtySecondsAndAWaitFive() {
    Lease lease = locks.lock("report").acquire();
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(30));
    long before = time.nanos();
    assertThatThrownBy(() -> locks.lock("report").acquire()).isInstanceOf(LockException.class);
    assertThat(Duration.ofNanos(time.nanos() - before)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void pollingBeginsWithATenthOfASecondAndDoubles() {
    assertThat(RetryPolicy.DEFAULT)
        .isEqualTo(new RetryPolicy(
            Integer.MAX_VALUE, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL));
  }

  @Test
  void everyLeaseHasAnIdOfItsOwn() {
    Set<LockId> ids = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      try (Lease lease = locks.lock("report").acquire()) {
        assertThat(ids.add(lease.id())).as("a new id").isTrue();
      }
    }
  }
}
