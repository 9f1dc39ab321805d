package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever stands in line gets its turn, with or without being woken. For backends that offer a {@link WaitingLine}.
 *
 * <p>Wake-ups and fairness are promises of their own: {@link WakeUpContract}, {@link FairLineContract}.
 */
public abstract class WaitingLineContract extends Contract {

  private static void sleepOn() {}

  private final List<WaitingLine.Place> places = new ArrayList<>();

  private WaitingLine.Place join(LockBackend at, String key, LockId id) {
    WaitingLine.Place place =
        at.waitingLine().orElseThrow().join(key(key), id, WaitingLineContract::sleepOn);
    places.add(place);
    return place;
  }

  @AfterEach
  final void leaveTheLine() {
    places.forEach(WaitingLine.Place::close);
  }

  @Test
  void aPlaceTakesAFreeKeyAtOnce() {
    LockId id = newId();
    WaitingLine.Place place = join(backend, "report", id);
    AcquireResult result = place.attempt(LONG, NEVER);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    assertHeld(grantOf("report", id, result));
  }

  @Test
  void joiningAloneChangesNothing() {
    join(backend, "report", newId());
    assertFree("report");
  }

  @Test
  void aRefusedPlaceLeavesTheHolderAlone() {
    Grant holder = take("report");
    LockId id = newId();
    assertThat(join(backend, "report", id).attempt(LONG, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertHeld(holder);
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isEmpty();
    assertThat(release(id)).isFalse();
  }

  @Test
  void aWaiterThatIsNeverWokenGetsTheKeyAfterItsPatience() {
    Grant holder = take("report");
    LockId id = newId();
    WaitingLine.Place place = join(open(), "report", id);
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    release(holder);
    pass(place.patience());
    AcquireResult result = place.attempt(LONG, NEVER);
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(((AcquireResult.Acquired) result).fence()).isGreaterThan(holder.fence());
  }

  @Test
  void aWaiterGetsTheKeyOfALeaseThatEndedByItself() {
    take("report", SHORT);
    WaitingLine.Place place = join(backend, "report", newId());
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    passBeyond(SHORT);
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  void patienceIsAtMostAFewSeconds() {
    Duration patience = join(backend, "report", newId()).patience();
    assertThat(patience).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void anAttemptCanBeRepeatedAfterAGrant() {
    LockId id = newId();
    WaitingLine.Place place = join(backend, "report", id);
    AcquireResult first = place.attempt(LONG, NEVER);
    assertSameLease(first, place.attempt(LONG, NEVER));
    assertSameLease(first, backend.acquire(key("report"), id, LONG, NEVER));
  }

  @Test
  void aCancelledAttemptIsAbortedAndTakesNothing() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    WaitingLine.Place place = join(backend, "report", newId());
    assertRefused(LockException.Code.ABORTED, () -> place.attempt(LONG, cancelled));
    place.close();
    assertFree("report");
  }

  @Test
  void whoWasInLineHasItsOwnNote() {
    Grant holder = take("report", LONG, LockNote.of("first"));
    WaitingLine.Place place = backend
        .waitingLine()
        .orElseThrow()
        .join(key("report"), newId(), LockNote.of("second"), WaitingLineContract::sleepOn);
    places.add(place);
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    assertNote("report", LockNote.of("first"));
    release(holder);
    granted(place.attempt(LONG, NEVER));
    assertNote("report", LockNote.of("second"));
  }

  @Test
  void theNumberOfThoseInLineIsToldWhereTheStoreKnowsIt() {
    Grant holder = take("report");
    assertWaiting(0);
    WaitingLine.Place first = join(backend, "report", newId());
    WaitingLine.Place second = join(backend, "report", newId());
    assertThat(first.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    assertWaiting(1);
    assertThat(second.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    assertThat(second.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    assertWaiting(2);
    second.close();
    assertWaiting(1);
    release(holder);
    granted(first.attempt(LONG, NEVER));
    assertWaiting(0);
  }

  private void assertWaiting(int expected) {
    OptionalInt told =
        backend.lookup(new LockQuery.ByKey(key("report")), NEVER).orElseThrow().waiting();
    assertThat(told)
        .isEqualTo(fixture().countsWaiters() ? OptionalInt.of(expected) : OptionalInt.empty());
  }

  @Test
  void aPlaceThatWasGivenUpIsNotWaitedFor() {
    Grant holder = take("report");
    WaitingLine.Place given = join(backend, "report", newId());
    assertThat(given.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    given.close();
    given.close();
    release(holder);
    assertFree("report");
  }

  @Test
  void closingAPlaceAfterItsGrantKeepsTheLease() {
    LockId id = newId();
    WaitingLine.Place place = join(backend, "report", id);
    AcquireResult result = place.attempt(LONG, NEVER);
    place.close();
    assertHeld(grantOf("report", id, result));
  }

  @Test
  void everyPlaceGetsItsTurnWhateverBackendItStandsAt() throws Exception {
    List<LockBackend> backends = List.of(backend, open(), open());
    List<Grant> turns = Together.run(6, i -> {
      LockId id = newId();
      WaitingLine.Place place = backends
          .get(i % backends.size())
          .waitingLine()
          .orElseThrow()
          .join(key("report"), id, WaitingLineContract::sleepOn);
      while (true) {
        AcquireResult result = place.attempt(LONG, NEVER);
        if (result instanceof AcquireResult.Acquired) {
          place.close();
          release(id);
          return grantOf("report", id, result);
        }
        Thread.onSpinWait();
      }
    });
    assertThat(turns).extracting(grant -> grant.fence().value()).doesNotHaveDuplicates();
    assertFree("report");
  }

  private static Grant grantOf(String key, LockId id, AcquireResult result) {
    AcquireResult.Acquired acquired = (AcquireResult.Acquired) result;
    return new Grant(key(key), id, acquired.fence(), acquired.expiresAt());
  }
}
