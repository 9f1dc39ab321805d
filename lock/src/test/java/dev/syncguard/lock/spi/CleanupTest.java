package dev.syncguard.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CleanupTest {

  private static final Duration INTERVAL = Duration.ofSeconds(60);

  private final HandClock clock = new HandClock();
  private final List<Runnable> handedOver = new ArrayList<>();
  private final Cleanup cleanup = Cleanup.every(INTERVAL, clock, handedOver::add);
  private int cleanings;

  private void offer() {
    cleanup.offer(() -> cleanings++);
  }

  private void work() {
    List<Runnable> works = List.copyOf(handedOver);
    handedOver.clear();
    works.forEach(Runnable::run);
  }

  @Test
  void theFirstComesAtOnceAndTheNextAfterTheInterval() {
    offer();
    work();
    assertThat(cleanings).isEqualTo(1);
    clock.pass(INTERVAL.minusNanos(1));
    offer();
    work();
    assertThat(cleanings).isEqualTo(1);
    clock.pass(Duration.ofNanos(1));
    offer();
    work();
    assertThat(cleanings).isEqualTo(2);
    offer();
    work();
    assertThat(cleanings).isEqualTo(2);
  }

  @Test
  void whoeverNoticesDoesNotDoTheWork() {
    offer();
    assertThat(cleanings).isZero();
    assertThat(handedOver).hasSize(1);
  }

  @Test
  void anotherOneDoesNotBeginWhileOneIsUnderWay() {
    offer();
    clock.pass(INTERVAL);
    offer();
    assertThat(handedOver).hasSize(1);
    work();
    clock.pass(INTERVAL);
    offer();
    assertThat(handedOver).hasSize(1);
  }

  @Test
  void oneThatFailsDoesNotKeepTheNextFromComing() {
    cleanup.offer(() -> {
      throw new IllegalStateException("the store is away");
    });
    work();
    clock.pass(INTERVAL);
    offer();
    work();
    assertThat(cleanings).isEqualTo(1);
  }

  @Test
  void anExecutorThatTakesNoWorkIsAskedAgainNextTime() {
    boolean[] full = {true};
    try (Cleanup refused = Cleanup.every(INTERVAL, clock, work -> {
      if (full[0]) {
        throw new RejectedExecutionException("full");
      }
      work.run();
    })) {
      refused.offer(() -> cleanings++);
      assertThat(cleanings).isZero();
      full[0] = false;
      clock.pass(INTERVAL);
      refused.offer(() -> cleanings++);
      assertThat(cleanings).isEqualTo(1);
    }
  }

  @Test
  void afterItsEndNothingIsCleaned() {
    offer();
    cleanup.close();
    work();
    assertThat(cleanings).isZero();
    clock.pass(INTERVAL);
    offer();
    assertThat(handedOver).isEmpty();
  }

  @Test
  void itsOwnThreadKeepsNoProgramAliveAndGoesAway() throws Exception {
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    try (Cleanup own = Cleanup.every(INTERVAL, clock)) {
      own.offer(() -> worker.complete(Thread.currentThread()));
      Thread thread = worker.get(1, TimeUnit.MINUTES);
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread).isNotSameAs(Thread.currentThread());
      thread.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(thread.isAlive()).as("with nothing to do").isFalse();
    }
  }

  @Test
  void itsEndEndsItsOwnThread() throws Exception {
    CompletableFuture<Thread> worker = new CompletableFuture<>();
    Cleanup own = Cleanup.every(INTERVAL, clock);
    own.offer(() -> worker.complete(Thread.currentThread()));
    own.close();
    // Closed before its thread came to it, it cleans nothing.
    clock.pass(INTERVAL);
    own.offer(() -> cleanings++);
    assertThat(cleanings).isZero();
    Thread thread = worker.completeOnTimeout(new Thread(), 3, TimeUnit.SECONDS).get();
    thread.join(TimeUnit.MINUTES.toMillis(1));
    assertThat(thread.isAlive()).isFalse();
  }

  /** A clock that goes on when a test says so. */
  private static final class HandClock implements Time {
    private long nanos = Long.MAX_VALUE - 1_000_000_000; // overflows soon, as a real one may

    void pass(Duration time) {
      nanos += time.toNanos();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Signal newSignal() {
      throw new UnsupportedOperationException("Nobody waits here");
    }
  }
}
