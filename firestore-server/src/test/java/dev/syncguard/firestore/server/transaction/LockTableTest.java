package dev.syncguard.firestore.server.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets on when somebody gives way. Nobody's time runs out here: the timeout is an hour. */
@Timeout(120)
class LockTableTest {

  private static final Lock READ_X = new Lock("x", Lock.Mode.SHARED);
  private static final Lock WRITE_X = new Lock("x", Lock.Mode.EXCLUSIVE);
  private static final Lock WRITE_Y = new Lock("y", Lock.Mode.EXCLUSIVE);

  private final LockTable table = new LockTable(Duration.ofHours(1));
  private final LockOwner oldest = new LockOwner(1);
  private final LockOwner middle = new LockOwner(2);
  private final LockOwner youngest = new LockOwner(3);

  /** Lets the owner ask, in a thread of its own, and returns when it waits. */
  private CompletableFuture<Void> waiting(LockOwner owner, Lock wanted) {
    CompletableFuture<Void> answer = asking(owner, wanted);
    awaitWaiting(owner);
    return answer;
  }

  private CompletableFuture<Void> asking(LockOwner owner, Lock wanted) {
    return CompletableFuture.runAsync(
        () -> table.acquire(owner, List.of(wanted)), work -> new Thread(work).start());
  }

  private void awaitWaiting(LockOwner owner) {
    while (!table.claims(owner).waiting()) {
      Thread.onSpinWait();
    }
  }

  private static void assertGranted(CompletableFuture<Void> answer) throws Exception {
    answer.get(60, TimeUnit.SECONDS);
  }

  private static void assertRefused(CompletableFuture<Void> answer) {
    assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(FirestoreServerException.class);
  }

  @Test
  void whatAnOwnerHoldsAndWhetherItWaitsCanBeSeen() throws Exception {
    table.acquire(oldest, List.of(WRITE_Y, READ_X));
    CompletableFuture<Void> answer = waiting(middle, WRITE_X);
    assertThat(table.claims(oldest)).isEqualTo(new LockTable.Claims(List.of("x", "y"), false));
    assertThat(table.claims(middle)).isEqualTo(new LockTable.Claims(List.of(), true));
    assertThat(table.claims(youngest)).isEqualTo(LockTable.Claims.NONE);
    table.release(oldest);
    assertGranted(answer);
    assertThat(table.claims(middle)).isEqualTo(new LockTable.Claims(List.of("x"), false));
  }

  @Test
  void whoeverDoesNotWaitGetsAllOrNothing() throws Exception {
    assertThat(table.tryAcquire(oldest, List.of(WRITE_X))).isTrue();
    assertThat(table.tryAcquire(middle, List.of(WRITE_X, WRITE_Y))).isFalse();
    assertThat(table.claims(oldest).held()).containsExactly("x");
    assertThat(table.claims(middle)).isEqualTo(LockTable.Claims.NONE);
    assertGranted(asking(youngest, WRITE_Y));
  }

  @Test
  void theOldestOfThoseWhoWaitComesFirstAndThenWhoeverCameFirst() throws Exception {
    LockOwner twin = new LockOwner(2);
    table.acquire(oldest, List.of(WRITE_X));
    CompletableFuture<Void> third = waiting(youngest, WRITE_X);
    CompletableFuture<Void> first = waiting(middle, WRITE_X);
    CompletableFuture<Void> second = waiting(twin, WRITE_X);
    table.release(oldest);
    assertGranted(first);
    assertThat(table.claims(twin).waiting()).isTrue();
    table.release(middle);
    assertGranted(second);
    assertThat(table.claims(youngest).waiting()).isTrue();
    table.release(twin);
    assertGranted(third);
  }

  @Test
  void whoeverIsInterruptedLetsThoseBehindItPassAndStaysInterrupted() throws Exception {
    table.acquire(oldest, List.of(READ_X));
    AtomicReference<String> end = new AtomicReference<>();
    Thread writer = new Thread(() -> {
      try {
        table.acquire(middle, List.of(WRITE_X));
      } catch (FirestoreServerException e) {
        end.set(e.getMessage() + Thread.currentThread().isInterrupted());
      }
    });
    writer.start();
    awaitWaiting(middle);
    CompletableFuture<Void> reader = waiting(youngest, READ_X);
    writer.interrupt();
    assertGranted(reader);
    writer.join(60_000);
    assertThat(end).hasValue("Transaction lock timeout.true");
  }

  @Test
  void whoeverGivesWayInACycleGivesAtOnceWhatItHolds() throws Exception {
    table.acquire(oldest, List.of(WRITE_X));
    table.acquire(youngest, List.of(WRITE_Y));
    CompletableFuture<Void> victim = waiting(youngest, WRITE_X);
    CompletableFuture<Void> winner = asking(oldest, WRITE_Y);
    assertGranted(winner);
    assertRefused(victim);
    assertThat(table.claims(youngest)).isEqualTo(LockTable.Claims.NONE);
  }

  @Test
  void whoeverIsTurnedAwayFromALongQueueGivesWhatItHolds() throws Exception {
    table.acquire(oldest, List.of(WRITE_X));
    table.acquire(youngest, List.of(WRITE_Y));
    List<CompletableFuture<Void>> crowd = new ArrayList<>();
    CompletableFuture<Void> heir = waiting(middle, WRITE_Y);
    for (int i = 1; i < LockTable.MAX_WAITING; i++) {
      crowd.add(waiting(new LockOwner(10 + i), READ_X));
    }
    assertRefused(asking(youngest, WRITE_X));
    assertGranted(heir);
    table.release(oldest);
    for (CompletableFuture<Void> each : crowd) {
      assertGranted(each);
    }
  }
}
