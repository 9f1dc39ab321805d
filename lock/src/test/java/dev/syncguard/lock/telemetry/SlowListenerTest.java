package dev.syncguard.lock.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener that hangs, and what that costs everybody else. */
class SlowListenerTest {

  private static final int CAPACITY = 10_000;

  private final CountDownLatch hang = new CountDownLatch(1);
  private final List<Thread> heardOn = Collections.synchronizedList(new ArrayList<>());
  private final Recorder log = new Recorder();
  private final EventQueue queue = new EventQueue(log);

  @AfterEach
  void letItGo() {
    hang.countDown();
  }

  private void deliver(int times) {
    for (int i = 0; i < times; i++) {
      queue.execute(() -> {
        heardOn.add(Thread.currentThread());
        try {
          hang.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
  }

  private static void awaitUntil(BooleanSupplier done) throws InterruptedException {
    for (int i = 0; i < 6_000 && !done.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  @Test
  void itHoldsNobodyUpAndCostsBoundedMemory() throws Exception {
    deliver(CAPACITY + 500);
    hang.countDown();
    awaitUntil(() -> heardOn.size() >= CAPACITY);
    assertThat(heardOn).hasSizeBetween(CAPACITY, CAPACITY + 1);
  }

  @Test
  void thatEventsAreLostIsLoggedOnce() {
    deliver(CAPACITY);
    assertThat(log.warnings).isEmpty();
    deliver(500);
    assertThat(log.warnings)
        .singleElement()
        .asString()
        .startsWith("The telemetry listener is too slow");
  }

  @Test
  void itsThreadKeepsNoProgramAlive() throws Exception {
    deliver(1);
    awaitUntil(() -> !heardOn.isEmpty());
    assertThat(heardOn).singleElement().satisfies(thread -> {
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.getName()).isEqualTo("syncguard-telemetry");
    });
  }

  private static final class Recorder implements System.Logger {
    private final List<String> warnings = new ArrayList<>();

    @Override
    public String getName() {
      return "recorder";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      warnings.add(String.valueOf(message));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      warnings.add(String.valueOf(format));
    }
  }
}
