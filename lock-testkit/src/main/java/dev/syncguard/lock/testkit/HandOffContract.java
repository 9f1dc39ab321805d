package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lease can be handed to a waiter in one step, so that nobody comes in between. For backends with a {@link WaitingLine}. */
public abstract class HandOffContract extends Contract {

  private final List<WaitingLine.Place> places = new ArrayList<>();

  private WaitingLine.Place join(LockId id) {
    WaitingLine.Place place = backend.waitingLine().orElseThrow().join(key("report"), id, () -> {});
    places.add(place);
    return place;
  }

  private static Grant grantOf(LockId id, AcquireResult result) {
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    AcquireResult.Acquired acquired = (AcquireResult.Acquired) result;
    return new Grant(key("report"), id, acquired.fence(), acquired.expiresAt());
  }

  @AfterEach
  final void leaveTheLine() {
    places.forEach(WaitingLine.Place::close);
  }

  @Test
  void theNewHolderGetsTheNextFenceAndAFullTtl() {
    Grant old = take("report");
    LockId id = newId();
    WaitingLine.Place place = join(id);
    assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
    Instant before = storeTime().truncatedTo(ChronoUnit.MILLIS); // the unit that stores count in
    Grant next = grantOf(id, place.takeOver(old.id(), Ttl.ofMillis(44_444)));
    Instant after = storeTime();
    assertThat(next.fence()).isEqualTo(old.fence().next());
    assertThat(next.expiresAt().minusMillis(44_444)).isBetween(before, after);
    assertHeld(next);
  }

  @Test
  void theOldHolderHasNothingLeft() {
    Grant old = take("report");
    LockId id = newId();
    Grant next = grantOf(id, join(id).takeOver(old.id(), LONG));
    assertThat(release(old)).isFalse();
    assertThat(extend(old, SHORT)).isFalse();
    assertThat(backend.lookup(new LockQuery.ById(old.id()), NEVER)).isEmpty();
    assertHeld(next);
    assertThat(release(next)).isTrue();
    assertFree("report");
  }

  @Test
  void whoTakesTheKeyOverHasItsOwnNoteOrNone() {
    Grant first = take("report", LONG, LockNote.of("first"));
    LockId second = newId();
    WaitingLine.Place place = backend
        .waitingLine()
        .orElseThrow()
        .join(key("report"), second, LockNote.of("second"), () -> {});
    places.add(place);
    granted(place.takeOver(first.id(), LONG));
    assertNote("report", LockNote.of("second"));
    granted(join(newId()).takeOver(second, LONG));
    assertNoNote("report");
  }

  @Test
  void takingOverAgainFindsTheSameGrant() {
    Grant old = take("report");
    LockId id = newId();
    WaitingLine.Place place = join(id);
    AcquireResult first = place.takeOver(old.id(), LONG);
    assertSameLease(first, place.takeOver(old.id(), LONG));
    assertSameLease(first, place.takeOver(old.id(), SHORT));
    assertSameLease(first, place.attempt(LONG, NEVER));
    assertHeld(grantOf(id, first));
  }

  @Test
  void aLeaseThatWasReleasedCannotBeTakenOver() {
    Grant old = take("report");
    release(old);
    assertNothingToTakeOver(old.id());
    assertThat(take("report").fence()).isEqualTo(old.fence().next());
  }

  @Test
  void aLeaseThatHasEndedCannotBeTakenOver() {
    Grant old = take("report", SHORT);
    passBeyond(SHORT);
    assertNothingToTakeOver(old.id());
    assertThat(isLocked("report")).isFalse();
  }

  @Test
  void anUnknownLeaseCannotBeTakenOver() {
    assertNothingToTakeOver(newId());
    assertFree("report");
  }

  @Test
  void theLeaseOfAThirdHolderIsNotTakenOver() {
    Grant old = take("report");
    release(old);
    Grant third = take("report");
    assertNothingToTakeOver(old.id());
    assertNothingToTakeOver(newId());
    assertHeld(third);
    assertThat(
            backend.lookup(new LockQuery.ById(third.id()), NEVER).orElseThrow().expiresAt())
        .isEqualTo(third.expiresAt());
  }

  @Test
  void theLeaseOfAnotherKeyIsNotTakenOver() {
    Grant other = take("other");
    assertNothingToTakeOver(other.id());
    assertHeld(other);
    assertThat(isLocked("report")).isFalse();
  }

  private void assertNothingToTakeOver(LockId from) {
    LockId id = newId();
    WaitingLine.Place place = join(id);
    assertThat(place.takeOver(from, LONG)).isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isEmpty();
    place.close();
  }

  @Test
  void aLeaseIsHandedOnAndOnWithRisingFences() {
    assertHeld(handOn(take("report"), 20));
  }

  private Grant handOn(Grant first, int times) {
    Grant holder = first;
    for (int hand = 0; hand < times; hand++) {
      LockId id = newId();
      Grant next = grantOf(id, join(id).takeOver(holder.id(), LONG));
      assertThat(next.fence()).isEqualTo(holder.fence().next());
      holder = next;
    }
    return holder;
  }

  @Test
  void nobodyComesInBetween() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Grant first = take("report");
    List<Integer> outsiders = Together.run(2, i -> {
      int wins = 0;
      if (i == 0) {
        try {
          handOn(first, 100);
        } finally {
          done.set(true);
        }
      } else {
        while (!done.get()) {
          wins += attempt("report") instanceof AcquireResult.Acquired ? 1 : 0;
        }
      }
      return wins;
    });
    assertThat(outsiders).containsOnly(0);
  }

  @Test
  void withoutAFenceLeftTheOldHolderKeepsItsLease() {
    fixture().presetFence(key("report"), Fence.MAX - 1);
    Grant old = take("report");
    WaitingLine.Place place = join(newId());
    assertRefused(LockException.Code.INTERNAL, () -> place.takeOver(old.id(), LONG));
    place.close();
    assertHeld(old);
  }
}
