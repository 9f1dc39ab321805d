package dev.syncguard.lock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Background;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SystemBackgroundTest {

  private final Background background = new SystemBackground();

  @Test
  void workRunsElsewhereOnAThreadThatKeepsNoProgramAlive() throws Exception {
    for (Duration delay : new Duration[] {Duration.ZERO, Duration.ofNanos(1)}) {
      CompletableFuture<Thread> worker = new CompletableFuture<>();
      background.after(delay, () -> worker.complete(Thread.currentThread()));
      assertThat(worker.get()).isNotSameAs(Thread.currentThread());
      assertThat(worker.get().isDaemon()).isTrue();
    }
  }

  @Test
  void workThatWaitsHoldsUpNobodyElse() throws Exception {
    CompletableFuture<Void> resume = new CompletableFuture<>();
    background.after(Duration.ofNanos(1), resume::join);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    background.after(Duration.ofNanos(1), () -> done.complete(true));
    assertThat(done.get()).isTrue();
    resume.complete(null);
  }

  @Test
  void workThatWasCancelledIsNotKeptUntilItsTime() {
    WeakReference<AtomicInteger> kept = cancelledWork();
    for (int i = 0; i < 100 && kept.get() != null; i++) {
      System.gc();
    }
    assertThat(kept.get()).isNull();
  }

  private WeakReference<AtomicInteger> cancelledWork() {
    AtomicInteger work = new AtomicInteger();
    background.after(Duration.ofHours(1), work::incrementAndGet).cancel();
    return new WeakReference<>(work);
  }

  @Test
  void workThatFailsDoesNotKeepTheNextFromRunning() throws Exception {
    background.after(Duration.ZERO, () -> {
      throw new IllegalStateException("planned");
    });
    CompletableFuture<Boolean> next = new CompletableFuture<>();
    background.after(Duration.ofNanos(1), () -> next.complete(true));
    assertThat(next.get()).isTrue();
  }

  @Test
  void workWhoseTimeHasComeIsDoneAlsoIfThereIsNoRoomForAThreadAtFirst() throws Exception {
    AtomicInteger refusals = new AtomicInteger(3);
    Background cramped = new SystemBackground(
        new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
          @Override
          public void execute(Runnable work) {
            if (refusals.getAndDecrement() > 0) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.execute(work);
          }
        });
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    cramped.after(Duration.ofNanos(1), () -> done.complete(true));
    assertThat(done.get()).isTrue();
    assertThat(refusals.get()).isNegative();
  }
}
