package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A release wakes a waiter. For waiting lines that do more than let their waiters poll. */
public abstract class WakeUpContract extends Contract {

  /** The system property that says how many seconds a wake-up may take. The default is 60. */
  public static final String DEADLINE = "syncguard.wakeup.seconds";

  private final long deadlineSeconds = Long.getLong(DEADLINE, 60);
  private final List<Waiter> waiters = new ArrayList<>();

  private final class Waiter {
    final LockId id = newId();
    final Semaphore wakeUps = new Semaphore(0);
    final WaitingLine.Place place;

    Waiter(LockBackend at) {
      place = at.waitingLine().orElseThrow().join(key("report"), id, wakeUps::release);
      waiters.add(this);
    }

    boolean succeeds() {
      return place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired;
    }

    /** Waits as the library does, except that without a wake-up it does not try again. */
    void awaitTurn() throws InterruptedException {
      do {
        assertThat(wakeUps.tryAcquire(deadlineSeconds, TimeUnit.SECONDS))
            .as("woken")
            .isTrue();
        wakeUps.drainPermits();
      } while (!succeeds());
    }
  }

  @AfterEach
  final void leaveTheLine() {
    waiters.forEach(waiter -> waiter.place.close());
  }

  @Test
  void aReleaseWakesAWaiterOfTheSameBackend() throws Exception {
    assertWoken(new Waiter(backend));
  }

  @Test
  void aReleaseWakesAWaiterOfAnotherBackend() throws Exception {
    assertWoken(new Waiter(open()));
  }

  private void assertWoken(Waiter waiter) throws InterruptedException {
    Grant holder = take("report");
    assertThat(waiter.succeeds()).isFalse();
    release(holder);
    waiter.awaitTurn();
  }

  @Test
  void everyReleaseWakesSomebodyUntilAllHaveHadTheirTurn() throws Exception {
    Grant holder = take("report");
    List<Waiter> all = List.of(new Waiter(backend), new Waiter(open()), new Waiter(backend));
    for (Waiter waiter : all) {
      assertThat(waiter.succeeds()).isFalse();
    }
    release(holder);
    List<LockId> turns = Together.run(all.size(), i -> {
      Waiter waiter = all.get(i);
      try {
        waiter.awaitTurn();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      waiter.place.close();
      release(waiter.id);
      return waiter.id;
    });
    assertThat(turns).doesNotHaveDuplicates().hasSize(all.size());
  }

  @Test
  void aWaiterThatLeavesWhenItWasWokenPassesTheTurnOn() throws Exception {
    Grant holder = take("report");
    Waiter leaving = new Waiter(backend);
    Waiter staying = new Waiter(open());
    assertThat(leaving.succeeds()).isFalse();
    assertThat(staying.succeeds()).isFalse();
    release(holder);
    leaving.place.close();
    staying.awaitTurn();
  }

  @Test
  void aWaiterOfAnotherKeyIsNotServedByARelease() {
    Grant holder = take("report");
    Grant other = take("other");
    Waiter waiter = new Waiter(backend);
    assertThat(waiter.succeeds()).isFalse();
    release(other);
    assertThat(waiter.succeeds()).isFalse();
    assertHeld(holder);
  }
}
