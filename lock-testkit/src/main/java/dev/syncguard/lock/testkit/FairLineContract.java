package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.ArrayList;
import java.util.List;
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
  void whoeverLeavesTheLineIsNotWaitedFor() {
    Grant holder = take("report");
    Waiter leaving = refused(backend);
    Waiter staying = refused(open());
    leaving.place.close();
    release(holder);
    assertThat(staying.succeeds()).isTrue();
  }
}
