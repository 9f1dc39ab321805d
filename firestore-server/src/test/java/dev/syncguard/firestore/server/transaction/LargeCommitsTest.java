package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Neither the size nor the number of those who want locks stops the table. */
@Timeout(120)
class LargeCommitsTest {
  private static final int LOCKS = 60_000;

  private final LockTable table = new LockTable(Duration.ofHours(1));

  @Test
  void commitsOfManyDocumentsGetTheirTurns() throws Exception {
    LockOwner first = new LockOwner(1);
    table.acquire(first, locks("x"));
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int i = 2; i <= 6; i++) {
      LockOwner owner = new LockOwner(i);
      others.add(beside(() -> {
        table.acquire(owner, locks("x"));
        table.release(owner);
      }));
    }
    table.release(first);
    for (CompletableFuture<Void> other : others) {
      other.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void whoeverComesWhenTooManyWaitIsRefusedAtOnce() throws Exception {
    LockOwner holder = new LockOwner(0);
    Lock wanted = new Lock("x", Lock.Mode.EXCLUSIVE);
    table.acquire(holder, List.of(wanted));
    AtomicInteger refused = new AtomicInteger();
    int crowd = LockTable.MAX_WAITING + 10;
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 1; i <= crowd; i++) {
      LockOwner owner = new LockOwner(i);
      waiting.add(beside(() -> {
        try {
          table.acquire(owner, List.of(wanted));
          table.release(owner);
        } catch (FirestoreServerException e) {
          refused.incrementAndGet();
        }
      }));
    }
    while (refused.get() < 10) {
      Thread.onSpinWait(); // until all have come; those who wait cannot be seen
    }
    table.release(holder);
    for (CompletableFuture<Void> each : waiting) {
      each.get(60, TimeUnit.SECONDS);
    }
    assertThat(refused).hasValue(10);
  }

  private static List<Lock> locks(String prefix) {
    List<Lock> locks = new ArrayList<>();
    for (int i = 0; i < LOCKS; i++) {
      locks.add(new Lock(prefix + i, Lock.Mode.EXCLUSIVE));
    }
    return locks;
  }

  private static CompletableFuture<Void> beside(Runnable call) {
    return CompletableFuture.runAsync(call, work -> new Thread(work).start());
  }
}
