package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.LockBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was confirmed survives a crash of the store: locks, their ends, and above all fences. */
public abstract class DurabilityContract extends Contract {

  private LockFixture.Restartable store;

  @BeforeEach
  final void requireRestart() {
    store = fixture(LockFixture.Restartable.class);
  }

  private void crash() {
    store.restart();
    backend = open();
  }

  @Test
  void aHeldLockIsStillHeldAfterACrash() {
    Grant grant = take("report");
    crash();
    assertHeld(grant);
    assertThat(extend(grant, LONG)).isTrue();
    assertThat(release(grant)).isTrue();
  }

  @Test
  void anExtensionSurvivesACrash() {
    Grant grant = take("report", SHORT);
    assertThat(extend(grant, LONG)).isTrue();
    crash();
    passBeyond(SHORT);
    assertHeld(grant);
  }

  @Test
  void fencesGoOnRisingAfterACrash() {
    for (int round = 1; round <= 3; round++) {
      Grant grant = take("report");
      assertThat(grant.fence()).isEqualTo(new Fence(round));
      release(grant);
      crash();
      // A release need not have reached the disk; the lease may be back, but never the fence.
      release(grant);
    }
  }

  @Test
  void aCrashRightAfterAGrantDoesNotRepeatItsFence() {
    LockBackend other = open();
    Grant last = take(other, "report", SHORT);
    crash();
    passBeyond(SHORT);
    assertThat(take("report").fence()).isGreaterThan(last.fence());
  }
}
