package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ACQUISITION_TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.lock.RetryPolicy.Backoff;
import dev.syncguard.lock.RetryPolicy.Jitter;
import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting where the store cannot wake anybody. */
class PollingTest {

  private static final Duration LONGER_THAN_ANY_WAIT = Duration.ofDays(1);

  @Test
  void attemptsFollowTheScheduleOfTheOtherLibrariesPlusOneAtTheDeadline() {
    int checked = 0;
    for (JsonNode vector : GoldenVectors.cases("retrySchedule")) {
      if (usesWhatWeRefuse(vector) || vector.get("attemptCostMs").asLong() > 0) {
        continue; // Attempts take no time on our clock, so there is nothing to compare.
      }
      checked++;
      boolean endsAtDeadline = vector.path("cause").asText().equals("deadline-reached");
      Outcome outcome = poll(vector);
      String name = vector.get("name").asText();
      assertThat(outcome.acquired).as(name).isEqualTo(vector.get("acquired").asBoolean());
      assertThat(outcome.attempts)
          .as(name)
          .isEqualTo(vector.get("attempts").asInt() + (endsAtDeadline ? 1 : 0));
    }
    assertThat(checked).isEqualTo(20);
  }

  private record Outcome(boolean acquired, long attempts) {}

  private static Outcome poll(JsonNode vector) {
    ManualTime time = ManualTime.skipping();
    TroubledBackend backend = new TroubledBackend(new MemoryLockBackend(time), false);
    Locks locks = Locks.builder(backend)
        .time(time)
        .background(time.background())
        .random(always(vector.get("random").asDouble()))
        .build();
    Lease held = locks.lock("report").ttl(LONGER_THAN_ANY_WAIT).tryAcquire().orElseThrow();
    backend.calls.clear();
    if (!vector.get("succeedAtAttempt").isNull()) {
      for (int i = 1; i < vector.get("succeedAtAttempt").asInt(); i++) {
        backend.next(Call.ACQUIRE, TroubledBackend.after(() -> {}));
      }
      backend.next(Call.ACQUIRE, TroubledBackend.after(held::release));
    }
    boolean acquired = true;
    try {
      request(locks, vector.get("acquisition")).acquire();
    } catch (LockException e) {
      assertThat(e.code()).isEqualTo(ACQUISITION_TIMEOUT);
      acquired = false;
    }
    return new Outcome(
        acquired, backend.calls.stream().filter(Call.ACQUIRE::equals).count());
  }

  private static LockRequest request(Locks locks, JsonNode options) {
    return locks
        .lock("report")
        .ttl(LONGER_THAN_ANY_WAIT)
        .waitUpTo(Duration.ofMillis(options.path("timeoutMs").asLong(5000)))
        .polling(new RetryPolicy(
            options.path("maxRetries").asInt(10),
            Duration.ofMillis(options.path("retryDelayMs").asLong(100)),
            Backoff.valueOf(options.path("backoff").asText("exponential").toUpperCase(Locale.ROOT)),
            Jitter.valueOf(options.path("jitter").asText("equal").toUpperCase(Locale.ROOT))));
  }

  /** Whether a case is about options that we refuse, or about a pause of nothing, which the reference cannot handle. */
  private static boolean usesWhatWeRefuse(JsonNode vector) {
    JsonNode options = vector.get("acquisition");
    return options.path("timeoutMs").asLong(1) <= 0
        || options.path("retryDelayMs").asLong(1) <= 0
        || options.path("maxRetries").asLong(1) < 0
        || (options.path("jitter").asText().equals("full")
            && vector.get("random").asDouble() == 0);
  }

  private static RandomGenerator always(double chance) {
    return new RandomGenerator() {
      private final Random ids = new Random(1);

      @Override
      public long nextLong() {
        return ids.nextLong();
      }

      @Override
      public double nextDouble() {
        return chance;
      }
    };
  }

  @Test
  void pausesAreThoseOfTheOtherLibraries() {
    for (JsonNode vector : GoldenVectors.cases("retrySchedule")) {
      if (usesWhatWeRefuse(vector) || vector.path("cause").asText().equals("deadline-reached")) {
        continue; // The last pause is cut to the time that is left.
      }
      JsonNode options = vector.get("acquisition");
      RetryPolicy policy = new RetryPolicy(
          options.path("maxRetries").asInt(10),
          Duration.ofMillis(options.path("retryDelayMs").asLong(100)),
          Backoff.valueOf(options.path("backoff").asText("exponential").toUpperCase(Locale.ROOT)),
          Jitter.valueOf(options.path("jitter").asText("equal").toUpperCase(Locale.ROOT)));
      int attempt = 1;
      for (JsonNode delay : vector.get("delaysMs")) {
        Duration pause =
            policy.pauseAfter(attempt++, always(vector.get("random").asDouble()));
        assertThat(pause.toNanos() / 1e6)
            .as(vector.toString())
            .isCloseTo(delay.asDouble(), within());
      }
    }
  }

  private static Offset<Double> within() {
    return Offset.offset(0.001);
  }

  @Test
  void pausesStopGrowingBeforeTheyOverflow() {
    RetryPolicy policy = RetryPolicy.DEFAULT.withJitter(Jitter.NONE);
    assertThat(policy.pauseAfter(1000, always(0.5))).isEqualTo(Duration.ofHours(1));
    assertThat(policy.pauseAfter(Integer.MAX_VALUE, always(0.5))).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void senselessPoliciesAreRefusedWhereTheyAreMade() {
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withMaxRetries(-1))
        .isInstanceOf(LockException.class);
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withDelay(Duration.ZERO))
        .isInstanceOf(LockException.class);
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(-1)))
        .isInstanceOf(LockException.class);
    assertThatThrownBy(() -> RetryPolicy.DEFAULT.withDelay(Duration.ofDays(1)))
        .isInstanceOf(LockException.class);
  }

  @Test
  void waitersPollEvenIfTheStoreCouldWakeThemWhenToldTo() {
    ManualTime time = ManualTime.skipping();
    TroubledBackend backend = new TroubledBackend(new MemoryLockBackend(time));
    Locks locks = Locks.builder(backend)
        .time(time)
        .background(time.background())
        .pollingOnly()
        .build();
    locks.lock("report").ttl(LONGER_THAN_ANY_WAIT).acquire();
    assertThatThrownBy(() ->
            locks.lock("report").polling(RetryPolicy.DEFAULT.withMaxRetries(2)).acquire())
        .isInstanceOf(LockException.class);
    assertThat(backend.calls)
        .containsExactly(Call.ACQUIRE, Call.ACQUIRE, Call.ACQUIRE, Call.ACQUIRE);
  }

  @Test
  @Timeout(60)
  void nobodyGivesUpOnAFreeKeyBecauseTheOneBeforeHimPausesForLong() throws Exception {
    MemoryLockBackend store = new MemoryLockBackend();
    TroubledBackend backend = new TroubledBackend(store, false);
    Locks locks = Locks.over(backend);
    Lease held = locks.lock("report").acquire();
    CountDownLatch refused = new CountDownLatch(1);
    backend.next(Call.ACQUIRE, TroubledBackend.before(refused::countDown));
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<Lease> patient = locks
        .lock("report")
        .waitUpTo(Duration.ofDays(1))
        .polling(RetryPolicy.DEFAULT.withDelay(Duration.ofHours(1)))
        .cancelWith(cancellation)
        .acquireAsync();
    refused.await();
    // As another process would.
    store.release(held.id(), Cancellation.none());
    // Held until the patient one has ended, since it would be handed the key.
    try (Lease second = locks.lock("report").waitUpTo(Duration.ofMillis(50)).acquire()) {
      cancellation.cancel();
      assertThatThrownBy(patient::get).hasCauseInstanceOf(LockException.class);
    }
  }
}
