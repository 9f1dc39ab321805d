package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.ReleaseErrorHandler;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.testkit.faults.CallFault;
import dev.syncguard.lock.testkit.faults.FaultyBackend;
import dev.syncguard.lock.testkit.faults.PlannedFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whichever call of a user's story fails at the store: whoever believes to hold the key holds it, fences rise, and no
 * lock outlives its ttl.
 */
public abstract class LocksFaultContract extends Contract {

  private static final Ttl TTL = Ttl.ofMillis(1_000);
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final Duration STEP = Duration.ofMillis(50);

  /** A story of a user who may get an exception where the store failed. */
  private interface Story {
    void play(Locks locks, String key, List<Long> fences) throws Exception;
  }

  private void breakEveryCall(CallFault fault, Story story) throws Exception {
    ReleaseErrorHandler expected = (error, failure) -> {};
    for (int call = 0; ; call++) {
      PlannedFault plan = PlannedFault.at(call, fault, () -> pass(Duration.ofMillis(20)));
      String key = "report " + call;
      List<Long> fences = new CopyOnWriteArrayList<>();
      try (Locks locks = Locks.builder(new FaultyBackend(backend, plan))
          .onReleaseError(expected)
          .build()) {
        story.play(locks, key, fences);
        assertThat(fences)
            .as("fences in the order of the work")
            .doesNotHaveDuplicates()
            .isSorted();
        assertGoneWithinItsTtl(key);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(plan + ": " + e.getMessage(), e);
      }
      if (!plan.fired()) {
        assertThat(call).as("calls that could fail").isPositive();
        return;
      }
    }
  }

  private void assertGoneWithinItsTtl(String key) {
    long steps = (TTL.millis() + Liveness.TIME_TOLERANCE_MS) / STEP.toMillis() + 1;
    for (long step = 0; step < steps && isLocked(key); step++) {
      pass(STEP);
    }
    assertFree(key);
  }

  /** Works under the lock if the store lets us, and checks that we really have it. */
  private void work(Locks locks, String key, List<Long> fences) {
    try {
      locks.lock(key).ttl(TTL.duration()).waitUpTo(WAIT).run(lease -> {
        assertThat(backend
                .lookupRaw(new LockQuery.ByKey(lease.key()), NEVER)
                .orElseThrow()
                .lockId())
            .isEqualTo(lease.id());
        fences.add(lease.fence().value());
      });
    } catch (LockException e) {
      assertThat(e.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneAfterTheOther(CallFault fault) throws Exception {
    breakEveryCall(fault, (locks, key, fences) -> {
      work(locks, key, fences);
      assertGoneWithinItsTtl(key);
      work(locks, key, fences);
      assertThat(fences).isNotEmpty();
    });
  }

  @ParameterizedTest
  @EnumSource
  void oneAttemptWithoutWaiting(CallFault fault) throws Exception {
    breakEveryCall(fault, (locks, key, fences) -> {
      try {
        Lease lease = locks.lock(key).ttl(TTL.duration()).tryAcquire().orElseThrow();
        fences.add(lease.fence().value());
        lease.extend(TTL.duration());
        lease.close();
      } catch (LockException e) {
        assertThat(e.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void fromHandToHandWithinAProcess(CallFault fault) throws Exception {
    breakEveryCall(fault, (locks, key, fences) -> {
      try (Lease first = locks.lock(key).ttl(TTL.duration()).waitUpTo(WAIT).acquire()) {
        fences.add(first.fence().value());
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> work(locks, key, fences));
        CompletableFuture<Void> third = CompletableFuture.runAsync(() -> work(locks, key, fences));
        first.close();
        passUntil(CompletableFuture.allOf(second, third));
      } catch (LockException e) {
        assertThat(e.code()).isEqualTo(LockException.Code.NETWORK_TIMEOUT);
      }
    });
  }

  @Test
  void anAttemptThatMayHaveComeThroughIsReleasedInTheBackground() throws Exception {
    PlannedFault plan = PlannedFault.at(0, CallFault.FAIL_AFTER, () -> {});
    try (Locks locks = Locks.over(new FaultyBackend(backend, plan))) {
      assertRefused(
          LockException.Code.NETWORK_TIMEOUT,
          () -> locks.lock("report").ttl(LONG.duration()).tryAcquire());
      assertFreeLongBeforeItsTtl("report");
    }
  }

  @Test
  void aWaitThatEndedInDoubtIsReleasedInTheBackground() throws Exception {
    PlannedFault plan = PlannedFault.at(0, CallFault.FAIL_AFTER, () -> {});
    try (Locks locks = Locks.over(new FaultyBackend(backend, plan))) {
      assertRefused(
          LockException.Code.NETWORK_TIMEOUT,
          () -> locks
              .lock("report")
              .ttl(LONG.duration())
              .waitUpTo(WAIT)
              .failFast()
              .acquire());
      assertFreeLongBeforeItsTtl("report");
    }
  }

  private void assertFreeLongBeforeItsTtl(String key) throws Exception {
    for (int round = 0; round < 6_000 && isLocked(key); round++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertFree(key);
  }

  /** Lets time go by on the store's clock, slowly enough for threads that count on their own. */
  private void passUntil(CompletableFuture<Void> done) throws Exception {
    for (int step = 0; step < 2_000 && !done.isDone(); step++) {
      pass(Duration.ofMillis(20));
      TimeUnit.MILLISECONDS.sleep(20);
    }
    done.get(1, TimeUnit.SECONDS);
  }
}
