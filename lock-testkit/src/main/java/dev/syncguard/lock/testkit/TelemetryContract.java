package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever listens to a backend cannot change its answers, nor hold anybody up, whatever they do. */
public abstract class TelemetryContract extends Contract {

  private final CountDownLatch testIsOver = new CountDownLatch(1);

  @AfterEach
  final void letListenersGo() {
    testIsOver.countDown();
  }

  @Test
  void aListenerThatHangsChangesNoAnswer() {
    assertSameAnswers(event -> {
      try {
        testIsOver.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  @Test
  void aListenerThatThrowsChangesNoAnswer() {
    assertSameAnswers(event -> {
      throw new IllegalStateException("the listener is out of order");
    });
  }

  @Test
  void aListenerThatThrowsErrorsChangesNoAnswer() {
    assertSameAnswers(event -> {
      throw new AssertionError("the listener is out of order");
    });
  }

  /** If the listener could hold up an operation, this would never end. */
  private void assertSameAnswers(Consumer<LockEvent> listener) {
    LockBackend observed = Telemetry.to(listener).over(backend);
    for (int round = 0; round < 3; round++) {
      assertThat(answers(observed, "observed")).isEqualTo(answers(backend, "plain"));
    }
    try (Locks locks = Locks.over(observed)) {
      for (int round = 0; round < 3; round++) {
        try (Lease lease = locks.lock("lease").waitUpTo(Duration.ofMinutes(1)).acquire()) {
          assertThat(lease.extend(LONG.duration())).isTrue();
          assertThat(locks.lock("lease").tryAcquire()).isEmpty();
        }
      }
    }
    assertFree("lease");
  }

  /** Returns what a fresh lease is answered, without what differs from lease to lease. */
  private static List<String> answers(LockBackend asked, String key) {
    LockId id = newId();
    return List.of(
        kind(asked.acquire(key(key), id, LONG, NEVER)),
        kind(asked.acquire(key(key), newId(), LONG, NEVER)),
        kind(asked.extend(id, LONG, NEVER)),
        kind(asked.extend(newId(), LONG, NEVER)),
        "locked " + asked.isLocked(key(key), NEVER),
        "fence " + asked.lookup(new LockQuery.ById(id), NEVER).orElseThrow().fence(),
        kind(asked.release(id, NEVER)),
        kind(asked.release(id, NEVER)),
        "locked " + asked.isLocked(key(key), NEVER));
  }

  private static String kind(Object result) {
    return result.getClass().getSimpleName();
  }
}
