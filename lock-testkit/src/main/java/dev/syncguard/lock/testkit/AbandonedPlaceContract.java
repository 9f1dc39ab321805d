package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A waiter that died in line does not keep the others waiting. For waiting lines between processes. */
public abstract class AbandonedPlaceContract extends Contract {

  private static final int MOST_ROUNDS = 60;

  @Test
  void theKeyPassesByAWaiterThatNeverComesBack() {
    Grant holder = take("report");
    LockBackend dying = open();
    assertThat(placeAt(dying).attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    try (WaitingLine.Place living = placeAt(backend)) {
      assertThat(living.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      // A process that dies closes no place; its connections at most.
      dying.close();
      release(holder);
      assertThat(succeedsAtLast(living))
          .as("served although somebody dead is first")
          .isTrue();
    }
  }

  @Test
  void evenAPlainAttemptSucceedsAtLast() {
    Grant holder = take("report");
    LockBackend dying = open();
    assertThat(placeAt(dying).attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    dying.close();
    release(holder);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      if (attempt("report") instanceof AcquireResult.Acquired) {
        return;
      }
      pass(Duration.ofSeconds(1));
    }
    throw new AssertionError("the key stayed reserved for somebody dead");
  }

  private static WaitingLine.Place placeAt(LockBackend at) {
    return at.waitingLine().orElseThrow().join(key("report"), newId(), () -> {});
  }

  /** Waits as the library does when nobody wakes it. */
  private boolean succeedsAtLast(WaitingLine.Place place) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      pass(place.patience());
      if (place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired) {
        return true;
      }
    }
    return false;
  }
}
