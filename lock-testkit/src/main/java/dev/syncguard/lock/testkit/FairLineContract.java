package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Semaphore;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** First come, first served, among those who stand in line. For waiting lines that promise an order. */
public abstract class FairLineContract extends Contract {

  private record Waiter(LockId id, WaitingLine.Place place) {
    boolean succeeds() {
      return place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired;
    }
  }

  private final List<Waiter> waiters = new ArrayList<>();

  private Waiter refused(LockBackend at) {
    LockId id = newId();
    Waiter waiter =
        new Waiter(id, at.waitingLine().orElseThrow().join(key("report"), id, () -> {}));
    waiters.add(waiter);
    assertThat(waiter.succeeds()).isFalse();
    return waiter;
  }

  @AfterEach
  final void leaveTheLine() {
    waiters.forEach(waiter -> waiter.place.close());
  }

  @Test
  void theOneWhoHasWaitedLongestIsServedFirst() {
    Grant holder = take("report");
    Waiter first = refused(backend);
    Waiter second = refused(open());
    Waiter third = refused(backend);
    release(holder);
    assertThat(third.succeeds()).isFalse();
    assertThat(second.succeeds()).isFalse();
    assertThat(first.succeeds()).isTrue();
    release(first.id);
    assertThat(third.succeeds()).isFalse();
    assertThat(second.succeeds()).isTrue();
    release(second.id);
    assertThat(third.succeeds()).isTrue();
  }

  @Test
  void aNewcomerDoesNotOvertakeThoseInLine() {
    Grant holder = take("report");
    Waiter waiting = refused(backend);
    release(holder);
    Waiter newcomer = refused(open());
    assertThat(waiting.succeeds()).isTrue();
    release(waiting.id);
    assertThat(newcomer.succeeds()).isTrue();
  }

  @Test
  void permitsOfASemaphoreAreGivenInTheOrderInWhichProcessesAskedForThem() throws Exception {
    List<Locks> processes = Stream.generate(() -> Locks.over(open())).limit(4).toList();
    try {
      List<Lease> held = new ArrayList<>(
          List.of(permits(processes.get(0)).acquire(), permits(processes.get(0)).acquire()));
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 1; i < processes.size(); i++) {
        waiting.add(permits(processes.get(i)).acquireAsync());
        // The first waits for the permits, and the others behind it for their turn.
        int behind = i - 1;
        awaitUntil(() -> inLine("downloads#next").equals(OptionalInt.of(behind)));
      }
      awaitUntil(() -> inLine("downloads#1").equals(OptionalInt.of(1)));
      awaitUntil(() -> inLine("downloads#2").equals(OptionalInt.of(1)));
      for (int i = 0; i < waiting.size(); i++) {
        held.remove(0).close();
        held.add(waiting.get(i).get(2, TimeUnit.MINUTES));
        assertThat(waiting.subList(i + 1, waiting.size()))
            .as("those who came later than number %d", i)
            .noneMatch(CompletableFuture::isDone);
      }
      held.forEach(Lease::close);
    } finally {
      processes.forEach(Locks::close);
    }
  }

  private static Semaphore permits(Locks locks) {
    return locks.semaphore("downloads", 2).ttl(LONG.duration()).waitUpTo(Duration.ofMinutes(2));
  }

  /** Returns how many stand in line for a key that is held, or nothing. */
  private OptionalInt inLine(String key) {
    return backend
        .lookup(new LockQuery.ByKey(key(key)), NEVER)
        .map(LockInfo::waiting)
        .orElse(OptionalInt.empty());
  }

  private static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the time to wait").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Test
  void whoeverLeavesTheLineIsNotWaitedFor() {
    Grant holder = take("report");
    Waiter leaving = refused(backend);
    Waiter staying = refused(open());
    leaving.place.close();
    release(holder);
    assertThat(staying.succeeds()).isTrue();
  }
}
