package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that is back is noticed within 200 ms while somebody waits, and within a second otherwise, however long it was away. */
class OutageTest {

  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final int MORE_THAN_ARE_SENT = 20_000;

  private final ManualTime time = ManualTime.skipping();
  private final TroubledBackend backend = new TroubledBackend(new MemoryLockBackend(time));
  private final Locks locks = Locks.builder(backend)
      .time(time)
      .background(time.background())
      .onReleaseError((error, failure) -> {})
      .build();
  private final List<Long> refusedAtNanos = new ArrayList<>();

  /** Lets such calls go wrong for so long. */
  private void takeAway(Call call, Duration outage) {
    long end = time.nanos() + outage.toNanos();
    for (int i = 0; i < MORE_THAN_ARE_SENT; i++) {
      backend.next(call, new TroubledBackend.Trouble() {
        @Override
        public <T> T on(Supplier<T> real) {
          if (time.nanos() - end >= 0) {
            return real.get();
          }
          refusedAtNanos.add(time.nanos());
          throw new LockException(SERVICE_UNAVAILABLE, "away");
        }
      });
    }
  }

  private void assertNeitherRestlessNorAsleep(long seconds, int mostInASecond, Duration longest) {
    assertThat(refusedAtNanos.size()).isLessThan(Math.toIntExact(mostInASecond * seconds));
    for (int i = 1; i < refusedAtNanos.size(); i++) {
      assertThat(Duration.ofNanos(refusedAtNanos.get(i) - refusedAtNanos.get(i - 1)))
          .as("pause %s", i)
          .isLessThanOrEqualTo(longest);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 30, 1_200})
  void aWaiterGetsAFreeKeySoonAfterTheOutage(long seconds) {
    long start = time.nanos();
    takeAway(Call.ACQUIRE, Duration.ofSeconds(seconds));
    Lease lease = locks.lock("report").waitUpTo(Duration.ofHours(2)).acquire();
    assertThat(lease.isHeld()).isTrue();
    assertThat(Duration.ofNanos(time.nanos() - start))
        .isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds).plus(SOON));
    assertNeitherRestlessNorAsleep(seconds, 15, SOON);
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 30, 3_600})
  void aKeyThatWasReleasedIsFreeWithinASecondAfterTheOutage(long seconds) {
    Lease lease = locks.lock("report").ttl(Duration.ofHours(2)).acquire();
    takeAway(Call.RELEASE, Duration.ofSeconds(seconds));
    lease.close();
    time.advance(Duration.ofSeconds(seconds));
    assertThat(locks.isLocked("report")).isTrue();
    time.advance(A_SECOND);
    assertThat(locks.isLocked("report")).isFalse();
    assertNeitherRestlessNorAsleep(seconds, 5, A_SECOND);
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void whenOneIsAnsweredAllOthersAskAtOnce() throws Exception {
    ManualTime stopped = ManualTime.stopped();
    AtomicBoolean away = new AtomicBoolean(true);
    TroubledBackend unsteady = new TroubledBackend(new MemoryLockBackend(stopped));
    for (int i = 0; i < MORE_THAN_ARE_SENT; i++) {
      unsteady.next(Call.ACQUIRE, new TroubledBackend.Trouble() {
        @Override
        public <T> T on(Supplier<T> real) {
          if (away.get()) {
            throw new LockException(SERVICE_UNAVAILABLE, "away");
          }
          return real.get();
        }
      });
    }
    int keys = 20;
    ExecutorService threads = Executors.newFixedThreadPool(keys);
    Locks many =
        Locks.builder(unsteady).time(stopped).background(stopped.background()).build();
    try {
      List<Future<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        LockRequest request = many.lock("key:" + i).waitUpTo(Duration.ofHours(1));
        waiting.add(threads.submit(request::acquire));
      }
      // Long enough for everybody to ask as rarely as it gets.
      for (int i = 0; i < 200; i++) {
        stopped.advance(Duration.ofMillis(25));
        TimeUnit.MILLISECONDS.sleep(2);
      }
      away.set(false);
      stopped.advance(SOON);
      while (!waiting.stream().allMatch(Future::isDone)) {
        // Does what is due, and lets no time go by.
        stopped.advance(Duration.ZERO);
        TimeUnit.MILLISECONDS.sleep(2);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void whoStandsBehindSomebodyWithoutAnAnswerIsNotToldThatTheKeyWasHeld() throws Exception {
    ManualTime stopped = ManualTime.stopped();
    TroubledBackend silent = new TroubledBackend(new MemoryLockBackend(stopped));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Locks holder = Locks.builder(silent).time(stopped).build();
        Locks here =
            Locks.builder(silent).time(stopped).background(stopped.background()).build()) {
      Lease held = holder.lock("report").ttl(Duration.ofHours(1)).acquire();
      LockRequest patient = here.lock("report").waitUpTo(Duration.ofMinutes(30));
      Future<Lease> first = threads.submit(() -> patient.acquire());
      awaitThat(() -> here.waiting() == 1 && silent.lastRefused());
      silent.next(Call.ACQUIRE, TroubledBackend.after(() -> {
        asked.countDown();
        awaits(end);
      }));
      while (asked.getCount() > 0) {
        stopped.advance(Duration.ofMillis(100));
        TimeUnit.MILLISECONDS.sleep(2);
      }
      assertThat(held.release()).isTrue();
      Future<Lease> second = threads.submit(
          () -> here.lock("report").waitUpTo(Duration.ofSeconds(5)).acquire());
      awaitThat(() -> here.waiting() == 1);
      stopped.advance(Duration.ofSeconds(5));
      assertThatThrownBy(second::get).cause().isInstanceOfSatisfying(LockException.class, e -> {
        assertThat(e.code()).isEqualTo(NETWORK_TIMEOUT);
        assertThat(e).hasMessageContaining("did not answer");
      });
      end.countDown();
      assertThat(first.get().release()).isTrue();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
