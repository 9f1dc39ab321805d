package dev.syncguard.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockQuery;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryLockBackendTest {

  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("key");
  private static final Ttl TTL = Ttl.of(Duration.ofSeconds(1));

  /** A second look could find a lease over that the first found live, and still bring it back. */
  @Test
  void everyOperationLooksAtTheClockOnce() {
    CountingTime time = new CountingTime();
    MemoryLockBackend backend = new MemoryLockBackend(time);
    LockId id = LockId.random(new SecureRandom());
    LockId next = LockId.random(new SecureRandom());

    assertThat(time.looksDuring(() -> backend.acquire(KEY, id, TTL, NEVER))).isOne();
    assertThat(time.looksDuring(() -> backend.extend(id, TTL, NEVER))).isOne();
    assertThat(time.looksDuring(() -> backend.isLocked(KEY, NEVER))).isOne();
    assertThat(time.looksDuring(() -> backend.lookupRaw(new LockQuery.ByKey(KEY), NEVER)))
        .isOne();
    assertThat(time.looksDuring(() -> backend.listing().orElseThrow().live(10, NEVER)))
        .isOne();
    assertThat(time.looksDuring(() -> backend.takeOver(KEY, id, next, TTL, Optional.empty())))
        .isOne();
    assertThat(time.looksDuring(() -> backend.release(next, NEVER))).isOne();
  }

  private static final class CountingTime implements Time {
    private final Time real = ManualTime.stopped();
    private final AtomicInteger looks = new AtomicInteger();

    int looksDuring(Runnable operation) {
      looks.set(0);
      operation.run();
      return looks.get();
    }

    @Override
    public Instant now() {
      looks.incrementAndGet();
      return real.now();
    }

    @Override
    public long nanos() {
      return real.nanos();
    }

    @Override
    public Signal newSignal() {
      return real.newSignal();
    }
  }
}
