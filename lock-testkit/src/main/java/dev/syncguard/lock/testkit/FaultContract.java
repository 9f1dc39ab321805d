package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.faults.CallFault;
import dev.syncguard.lock.testkit.faults.FaultyBackend;
import dev.syncguard.lock.testkit.faults.PlannedFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whichever call of a scenario fails, and however it fails: repeating it leads to the truth.
 *
 * <p>Our own grant is never mistaken for somebody else's, nothing is reported done that was not, and a lock that nobody
 * knows of is gone after its ttl.
 */
public abstract class FaultContract extends Contract {

  /** A scenario over a faulty backend and a key of its own. */
  private interface Scenario {
    void play(LockBackend faulty, String key);
  }

  /** Breaks the scenario at its first call, then at its second, until no call is left. */
  private void breakEveryCall(CallFault fault, Scenario scenario) {
    for (int call = 0; ; call++) {
      PlannedFault plan = PlannedFault.at(call, fault, () -> pass(Duration.ofMillis(20)));
      try {
        scenario.play(new FaultyBackend(backend, plan), "report " + call);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(plan + ": " + e.getMessage(), e);
      }
      if (!plan.fired()) {
        assertThat(call).as("calls that could fail").isPositive();
        return;
      }
    }
  }

  /** Asks until there is an answer, as the library does. */
  private static <T> T repeat(Supplier<T> call) {
    try {
      return call.get();
    } catch (LockException e) {
      assertThat(e.leavesOutcomeUnknown()).isTrue();
      return call.get();
    }
  }

  private static Fence fenceOf(AcquireResult result) {
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return ((AcquireResult.Acquired) result).fence();
  }

  @ParameterizedTest
  @EnumSource
  void everyAttemptFindsItsOwnGrant(CallFault fault) {
    breakEveryCall(fault, (faulty, key) -> {
      List<Fence> fences = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        LockId id = newId();
        fences.add(fenceOf(repeat(() -> faulty.acquire(key(key), id, LONG, NEVER))));
        assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isPresent();
        repeat(() -> faulty.release(id, NEVER));
        assertThat(backend.isLocked(key(key), NEVER))
            .as("locked after its release")
            .isFalse();
      }
      assertThat(fences).containsExactly(new Fence(1), new Fence(2), new Fence(3));
    });
  }

  @ParameterizedTest
  @EnumSource
  void anExtensionThatWasConfirmedHappened(CallFault fault) {
    breakEveryCall(fault, (faulty, key) -> {
      Grant grant = take(key, LONG);
      ExtendResult result = repeat(() -> faulty.extend(grant.id(), LONG, NEVER));
      assertThat(result).isInstanceOf(ExtendResult.Extended.class);
      assertThat(backend
              .lookup(new LockQuery.ById(grant.id()), NEVER)
              .orElseThrow()
              .expiresAt())
          .isEqualTo(((ExtendResult.Extended) result).expiresAt());
      repeat(() -> faulty.release(grant.id(), NEVER));
      assertThat(repeat(() -> faulty.extend(grant.id(), LONG, NEVER)))
          .isInstanceOf(ExtendResult.Absent.class);
      assertThat(backend.isLocked(grant.key(), NEVER)).isFalse();
    });
  }

  @ParameterizedTest
  @EnumSource
  void theLockOfSomebodyElseIsNeverOurs(CallFault fault) {
    breakEveryCall(fault, (faulty, key) -> {
      Grant other = take(key);
      LockId id = newId();
      assertThat(repeat(() -> faulty.acquire(other.key(), id, LONG, NEVER)))
          .isInstanceOf(AcquireResult.Contended.class);
      assertThat(repeat(() -> faulty.release(id, NEVER))).isInstanceOf(ReleaseResult.Absent.class);
      assertThat(repeat(() -> faulty.isLocked(other.key(), NEVER))).isTrue();
      assertHeld(other);
      assertThat(release(other)).isTrue();
      assertThat(fenceOf(repeat(() -> faulty.acquire(other.key(), id, LONG, NEVER))))
          .isEqualTo(other.fence().next());
    });
  }

  @ParameterizedTest
  @EnumSource
  void anAttemptThatWasGivenUpLeavesNothingBeyondItsTtl(CallFault fault) {
    List<String> keys = new ArrayList<>();
    breakEveryCall(fault, (faulty, key) -> {
      keys.add(key);
      try {
        faulty.acquire(key(key), newId(), SHORT, NEVER);
      } catch (LockException e) {
        assertThat(e.leavesOutcomeUnknown()).isTrue();
      }
    });
    passBeyond(SHORT);
    keys.forEach(this::assertFree);
  }
}
