package dev.syncguard.lock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.lock.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SystemTimeTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  private final Time.Signal signal = SystemTime.INSTANCE.newSignal();

  @Test
  void aSignalThatNobodyFiresEndsWithItsTime() throws Exception {
    assertThat(signal.await(Duration.ZERO)).isFalse();
    assertThat(signal.await(Duration.ofMillis(5))).isFalse();
  }

  @Test
  void aSignalThatWasFiredBeforeIsNotWaitedForButOnce() throws Exception {
    signal.fire();
    assertThat(signal.await(LONG)).isTrue();
    assertThat(signal.await(Duration.ZERO)).isFalse();
  }

  @Test
  void whoeverWaitsSleepsUntilTheSignalIsFired() throws Exception {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread waiter = waiter(LONG, answer);
    while (waiter.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    signal.fire();
    assertThat(answer.get()).isTrue();
  }

  @Test
  void theLongestTimeOfAllIsNotOverAtOnce() throws Exception {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Thread waiter = waiter(Duration.ofSeconds(Long.MAX_VALUE), answer);
    while (waiter.getState() != Thread.State.TIMED_WAITING) {
      assertThat(answer).isNotDone();
    }
    signal.fire();
    assertThat(answer.get()).isTrue();
  }

  @Test
  void anInterruptEndsTheWaiting() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> signal.await(LONG));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void theTimeSinceBootIsWhatTheKernelTells() throws Exception {
    Path kernel = Path.of("/proc/uptime");
    if (!Files.exists(kernel)) {
      assertThat(BootTime.readUptime()).isEmpty();
      return;
    }
    long before = BootTime.readUptime().orElseThrow();
    double seconds = Double.parseDouble(Files.readString(kernel).split(" ", 2)[0]);
    long after = BootTime.readUptime().orElseThrow();
    assertThat((long) (seconds * 1e9)).isBetween(before, after);
  }

  private Thread waiter(Duration atMost, CompletableFuture<Boolean> answer) {
    Thread waiter = new Thread(() -> {
      try {
        answer.complete(signal.await(atMost));
      } catch (InterruptedException e) {
        answer.completeExceptionally(e);
      }
    });
    waiter.setDaemon(true);
    waiter.start();
    return waiter;
  }
}
