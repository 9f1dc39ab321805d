package dev.syncguard.lock.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.RecordedLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener that hangs, and what that costs everybody else. */
class SlowListenerTest {

  private static final int CAPACITY = 10_000;

  private final CountDownLatch hang = new CountDownLatch(1);
  private final List<Thread> heardOn = Collections.synchronizedList(new ArrayList<>());
  private final Semaphore heard = new Semaphore(0);
  private final RecordedLog log = new RecordedLog();
  private final EventQueue queue = new EventQueue(log);

  @AfterEach
  void letItGo() {
    hang.countDown();
  }

  private void deliver(int times) {
    for (int i = 0; i < times; i++) {
      queue.execute(() -> {
        heardOn.add(Thread.currentThread());
        heard.release();
        try {
          hang.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
  }

  private void awaitHeard(int times) throws InterruptedException {
    assertThat(heard.tryAcquire(times, 1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void itHoldsNobodyUpAndCostsBoundedMemory() throws Exception {
    deliver(CAPACITY + 500);
    hang.countDown();
    awaitHeard(CAPACITY);
    assertThat(heardOn).hasSizeBetween(CAPACITY, CAPACITY + 1);
  }

  @Test
  void thatEventsAreLostIsLoggedOnce() {
    deliver(CAPACITY);
    assertThat(log.entries()).isEmpty();
    deliver(500);
    assertThat(log.entries())
        .singleElement()
        .extracting(RecordedLog.Entry::message)
        .asString()
        .startsWith("The telemetry listener is too slow");
  }

  @Test
  void itsThreadKeepsNoProgramAlive() throws Exception {
    deliver(1);
    awaitHeard(1);
    assertThat(heardOn).singleElement().satisfies(thread -> {
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.getName()).isEqualTo("syncguard-telemetry");
    });
  }
}
