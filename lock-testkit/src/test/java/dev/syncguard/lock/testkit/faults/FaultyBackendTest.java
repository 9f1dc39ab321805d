package dev.syncguard.lock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultyBackendTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(10_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final ManualTime time = ManualTime.stopped();
  private final Instant start = time.now();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final Random random = new Random(1);
  private final LockId id = LockId.random(random);

  private FaultyBackend faulty(int call, CallFault fault) {
    return new FaultyBackend(
        store, PlannedFault.at(call, fault, () -> time.advance(Duration.ofSeconds(1))));
  }

  @Test
  void aLostRequestChangesNothing() {
    FaultyBackend faulty = faulty(0, CallFault.FAIL_BEFORE);
    assertThatThrownBy(() -> faulty.acquire(KEY, id, TTL, NEVER))
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.leavesOutcomeUnknown()).isTrue());
    assertThat(store.isLocked(KEY, NEVER)).isFalse();
  }

  @Test
  void aLostReplyHasDoneItsWork() {
    FaultyBackend faulty = faulty(0, CallFault.FAIL_AFTER);
    assertThatThrownBy(() -> faulty.acquire(KEY, id, TTL, NEVER)).isInstanceOf(LockException.class);
    assertThat(store.isLocked(KEY, NEVER)).isTrue();
  }

  @Test
  void aLateRequestIsJudgedWhenItArrives() {
    assertThat(faulty(0, CallFault.DELAY_BEFORE).acquire(KEY, id, TTL, NEVER))
        .isEqualTo(new AcquireResult.Acquired(Fence.FIRST, start.plusSeconds(11), TTL.duration()));
  }

  @Test
  void aLateReplyTellsWhatWasTrueBefore() {
    assertThat(faulty(0, CallFault.DELAY_AFTER).acquire(KEY, id, TTL, NEVER))
        .isEqualTo(new AcquireResult.Acquired(Fence.FIRST, start.plusSeconds(10), TTL.duration()));
    assertThat(time.now()).isEqualTo(start.plusSeconds(1));
  }

  @Test
  void aRequestThatArrivesTwiceIsAnsweredTheSecondTime() {
    store.acquire(KEY, id, TTL, NEVER);
    assertThat(faulty(0, CallFault.DUPLICATE).release(id, NEVER))
        .isInstanceOf(ReleaseResult.Absent.class);
  }

  @Test
  void onlyThePlannedCallFails() {
    PlannedFault plan = PlannedFault.at(2, CallFault.FAIL_BEFORE, () -> {});
    FaultyBackend faulty = new FaultyBackend(store, plan);
    faulty.acquire(KEY, id, TTL, NEVER);
    faulty.extend(id, TTL, NEVER);
    assertThat(plan.fired()).isFalse();
    assertThatThrownBy(() -> faulty.isLocked(KEY, NEVER)).isInstanceOf(LockException.class);
    assertThat(plan.fired()).isTrue();
    assertThat(faulty.isLocked(KEY, NEVER)).isTrue();
  }

  @Test
  void waitersFailAsWell() {
    store.acquire(KEY, id, TTL, NEVER);
    LockId heir = LockId.random(random);
    WaitingLine line = faulty(1, CallFault.FAIL_AFTER).waitingLine().orElseThrow();
    try (WaitingLine.Place place = line.join(KEY, heir, () -> {})) {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThatThrownBy(() -> place.takeOver(id, TTL)).isInstanceOf(LockException.class);
      assertThat(place.takeOver(id, TTL)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }
}
