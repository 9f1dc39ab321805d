package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records of dead locks are cleaned away only on request, only when long dead, and never with their fences. */
public abstract class CleanupContract extends Contract {

  private static final Duration STEP = Duration.ofMillis(100);
  private static final int MOST_STEPS = 600;

  private LockFixture.Cleaning store;

  @BeforeEach
  final void requireCleaning() {
    store = fixture(LockFixture.Cleaning.class);
  }

  private LockBackend cleaner(Duration interval) {
    return remember(store.openCleaning(interval));
  }

  private void passBeyondGuard() {
    pass(SHORT.duration().plusMillis(Liveness.CLEANUP_AFTER_MS + 20));
  }

  /** Asks until the record is gone; cleaning may happen behind the caller's back. */
  private void assertCleaned(LockBackend cleaner, String key) {
    for (int step = 0; step < MOST_STEPS; step++) {
      assertThat(cleaner.isLocked(key(key), NEVER)).isFalse();
      if (!store.isStored(key(key))) {
        return;
      }
      pass(STEP);
    }
    throw new AssertionError("the record was never cleaned away");
  }

  @Test
  void withoutARequestNothingIsCleaned() {
    take("report", SHORT);
    passBeyondGuard();
    for (int i = 0; i < 3; i++) {
      assertThat(isLocked("report")).isFalse();
    }
    assertThat(store.isStored(key("report"))).isTrue();
  }

  @Test
  void onRequestALongDeadLockIsCleanedAndItsFenceStays() {
    Grant dead = take("report", SHORT);
    passBeyondGuard();
    assertCleaned(cleaner(Duration.ofMillis(1)), "report");
    assertThat(take("report").fence()).isEqualTo(dead.fence().next());
  }

  @Test
  void fencesSurviveManyCleanups() {
    LockBackend cleaner = cleaner(Duration.ofMillis(1));
    for (int round = 1; round <= 2; round++) {
      assertThat(take("report", SHORT).fence()).isEqualTo(new Fence(round));
      passBeyondGuard();
      assertCleaned(cleaner, "report");
    }
  }

  @Test
  void aLockIsNotCleanedBeforeItIsSafe() {
    LockBackend cleaner = cleaner(Duration.ofMillis(1));
    Grant dying = take("report", SHORT);
    Instant safe = dying.expiresAt().plusMillis(Liveness.CLEANUP_AFTER_MS);
    Instant now = storeTime();
    while (now.isBefore(safe)) {
      cleaner.isLocked(dying.key(), NEVER);
      boolean stored = store.isStored(dying.key());
      now = storeTime();
      assertThat(stored || now.isAfter(safe))
          .as("stored until it is safe to clean")
          .isTrue();
      pass(Duration.ofMillis(now.isBefore(dying.expiresAt()) ? 50 : 97));
    }
    assertCleaned(cleaner, "report");
  }

  @Test
  void liveLocksAreLeftAlone() {
    LockBackend cleaner = cleaner(Duration.ofMillis(1));
    Grant live = take("report");
    take("dead", SHORT);
    passBeyondGuard();
    for (int i = 0; i < 3; i++) {
      assertThat(cleaner.isLocked(live.key(), NEVER)).isTrue();
      cleaner.isLocked(key("dead"), NEVER);
      pass(Duration.ofMillis(2));
    }
    assertHeld(live);
    assertThat(release(live)).isTrue();
  }

  @Test
  void cleaningIsRateLimited() {
    LockBackend cleaner = cleaner(Duration.ofHours(1));
    take("first", SHORT);
    passBeyondGuard();
    assertCleaned(cleaner, "first");
    take("second", SHORT);
    passBeyondGuard();
    for (int i = 0; i < 3; i++) {
      assertThat(cleaner.isLocked(key("second"), NEVER)).isFalse();
      pass(Duration.ofMillis(20));
    }
    assertThat(store.isStored(key("second"))).isTrue();
  }

  @Test
  void cleaningIsNotTheWorkOfWhoeverAsks() {
    // A key of its own: what other tests have left to their threads may still be under way.
    Deque<Runnable> left = new ArrayDeque<>();
    LockBackend cleaner = remember(store.openCleaning(Duration.ofMillis(1), left::add));
    take("asked-for", SHORT);
    passBeyondGuard();
    for (int i = 0; i < 3; i++) {
      assertThat(cleaner.isLocked(key("asked-for"), NEVER)).isFalse();
      assertThat(store.isStored(key("asked-for"))).as("nobody has cleaned yet").isTrue();
      pass(Duration.ofMillis(2));
    }
    assertThat(left).as("however often somebody asks").hasSize(1);
    left.remove().run();
    assertThat(store.isStored(key("asked-for"))).isFalse();
  }

  @Test
  void whoeverClosesABackendEndsItsCleaning() {
    Deque<Runnable> left = new ArrayDeque<>();
    LockBackend cleaner = store.openCleaning(Duration.ofMillis(1), left::add);
    take("report", SHORT);
    passBeyondGuard();
    assertThat(cleaner.isLocked(key("report"), NEVER)).isFalse();
    cleaner.close();
    left.remove().run();
    assertThat(store.isStored(key("report"))).isTrue();
  }
}
