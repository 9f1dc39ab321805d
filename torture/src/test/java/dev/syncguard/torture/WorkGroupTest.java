package dev.syncguard.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.torture.history.Bounds;
import dev.syncguard.torture.history.Event.Abandoned;
import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Judge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WorkGroupTest {

  private static final String KEY = "torture:0";
  private static final Duration TTL = Duration.ofMinutes(5);
  private static final Bounds BOUNDS =
      new Bounds(TTL, Duration.ofMinutes(1), Duration.ofMinutes(1), true);

  @Test
  void everySecondWorkerLeavesItsLocksWhichClosingTheStoreMustNotEnd() throws Exception {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Ledger ledger = new Ledger();
    WorkGroup group =
        WorkGroup.start(new Task(0, 1, 1, List.of(KEY), TTL, 1), store, ledger, ledger);
    while (ledger.count(Abandoned.class) == 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(group.end()).isTrue();
    assertThat(store.isLocked(LockKey.of(KEY), Cancellation.none())).isTrue();
  }

  @Test
  void aLeaseThatWasLeftToRunOutIsGivenBackAtTheEndAndTheHistorySaysSo() throws Exception {
    MemoryLockBackend store = new MemoryLockBackend(Time.system());
    Ledger ledger = new Ledger();
    WorkGroup group =
        WorkGroup.start(new Task(0, 0, 1, List.of(KEY), TTL, 1), store, ledger, ledger);
    while (ledger.count(Abandoned.class) == 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(group.end()).isTrue();

    long sent = System.nanoTime();
    ledger.note(new Asked(1, KEY, 1, sent, true));
    try (Locks next = Locks.over(store)) {
      long fence = next.lock(KEY).acquire().fence().value();
      ledger.note(new Granted(1, KEY, 1, sent, System.nanoTime(), fence));
    }
    assertThat(Judge.violations(ledger.history(), BOUNDS)).isEmpty();
  }
}
