package dev.syncguard.lock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How calls to a store are limited, repeated, broken off and shielded from interrupts. */
class CallsTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final ManualTime time = ManualTime.skipping();

  @AfterEach
  void forgetInterrupts() {
    Thread.interrupted();
  }

  @Test
  void aCallThatWasAnsweredInTimeIsNeverBrokenOff() {
    List<Cancellation> limits = new ArrayList<>();
    String answer = TimeLimit.on(
        overdue -> {
          limits.add(overdue);
          return "answer";
        },
        LIMIT,
        time.background());
    time.advance(LIMIT.multipliedBy(2));
    assertThat(answer).isEqualTo("answer");
    assertThat(limits).singleElement().matches(limit -> !limit.isCancelled());
  }

  @Test
  void aCallWithoutAnAnswerIsBrokenOffAtItsLimit() {
    boolean cancelled = TimeLimit.on(
        overdue -> {
          time.advance(LIMIT.minusNanos(1));
          assertThat(overdue.isCancelled()).isFalse();
          time.advance(Duration.ofNanos(1));
          return overdue.isCancelled();
        },
        LIMIT,
        time.background());
    assertThat(cancelled).isTrue();
  }

  @Test
  void aCallIsMadeAlsoIfNobodyCanLimitIt() {
    String answer = TimeLimit.on(overdue -> "answer", LIMIT, (delay, work) -> {
      throw new IllegalStateException("full");
    });
    assertThat(answer).isEqualTo("answer");
  }

  @Test
  void aCancellationThatComesAfterTheAnswerReachesNobody() {
    Cancellation outer = Cancellation.create();
    List<Cancellation> inner = new ArrayList<>();
    CompletableFuture<String> answer = AsyncCall.start(
        new SystemBackground(),
        outer,
        cancellation -> {
          inner.add(cancellation);
          return "answer";
        },
        late -> {});
    assertThat(answer.join()).isEqualTo("answer");
    outer.cancel();
    assertThat(inner).singleElement().matches(cancellation -> !cancellation.isCancelled());
  }

  @Test
  void workThatMustBeDoneSeesNoInterruptAndTheThreadKeepsIt() {
    Thread.currentThread().interrupt();
    assertThat(Interruption.deferring(() -> Thread.currentThread().isInterrupted()))
        .isFalse();
    assertThat(Thread.interrupted()).isTrue();
    Interruption.deferring(() -> {});
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void workThatAnInterruptBrokeOffIsDoneAgain() {
    AtomicInteger tries = new AtomicInteger();
    int done = Interruption.deferring(() -> {
      if (tries.incrementAndGet() == 1) {
        Thread.currentThread().interrupt();
        throw Interruption.aborted();
      }
      return tries.get();
    });
    assertThat(done).isEqualTo(2);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void workThatFailedForAnotherReasonIsNotDoneAgain() {
    AtomicInteger tries = new AtomicInteger();
    LockException failure = new LockException(LockException.Code.NETWORK_TIMEOUT, "No answer");
    assertThatExceptionOfType(LockException.class)
        .isThrownBy(() -> Interruption.deferring(() -> {
          tries.incrementAndGet();
          throw failure;
        }))
        .isSameAs(failure);
    assertThat(tries).hasValue(1);
  }

  @Test
  void anUninterruptibleWaitEndsWithItsSignalOrItsTime() {
    Time.Signal signal = SystemTime.INSTANCE.newSignal();
    Thread.currentThread().interrupt();
    signal.fire();
    assertThat(Interruption.awaitUninterruptibly(signal, LIMIT, SystemTime.INSTANCE))
        .isTrue();
    assertThat(Interruption.awaitUninterruptibly(signal, Duration.ofMillis(1), SystemTime.INSTANCE))
        .isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void pausesInAnOutageDoubleUpToEightTenthsOfASecondAndHalfOfEachIsChance() {
    Random random = new Random(1);
    long[] longest = {100, 200, 400, 800, 800, 800};
    for (int failures = 1; failures <= longest.length; failures++) {
      for (int i = 0; i < 200; i++) {
        assertThat(OutageBackoff.after(failures, random).toNanos())
            .isBetween(longest[failures - 1] * 500_000, longest[failures - 1] * 1_000_000);
      }
    }
    assertThat(OutageBackoff.after(1_000, random)).isLessThanOrEqualTo(Duration.ofMillis(800));
    assertThat(OutageBackoff.ofScout(random)).isLessThanOrEqualTo(Duration.ofMillis(150));
  }

  @Test
  void theNameOfThisMachineFitsOnAScreen() {
    assertThat(HostName.ofThisMachine()).matches("[A-Za-z0-9._?-]{1,64}");
  }
}
