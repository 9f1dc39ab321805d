package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A note tells who holds a lock, for as long as the lease lasts and no longer, and decides nothing.
 *
 * <p>A store that keeps no notes says so by {@link LockFixture#keepsNotes()}, and then never shows one. Notes of those in
 * line and in lists are part of {@link WaitingLineContract}, {@link HandOffContract} and {@link ListingContract}.
 */
public abstract class NoteContract extends Contract {

  private static final LockNote NOTE = LockNote.of("nightly backup, pid 4711 on web-1");
  private static final LockNote OTHER = LockNote.of("somebody else");

  @Test
  void aNoteIsShownByEveryLookUp() {
    Grant grant = take("report", LONG, NOTE);
    assertNote("report", NOTE);
    LockInfo byKey = backend.lookup(new LockQuery.ByKey(grant.key()), NEVER).orElseThrow();
    assertThat(
            backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow().note())
        .isEqualTo(byKey.note());
    assertThat(backend
            .lookupRaw(new LockQuery.ByKey(grant.key()), NEVER)
            .orElseThrow()
            .note())
        .isEqualTo(byKey.note());
  }

  @Test
  void aLockWithoutANoteShowsNone() {
    take("report");
    assertNoNote("report");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "quotes ' \" and \\ and $1 and %s and {} and [] and null",
        "'); DROP TABLE syncguard_locks; --",
        "Größe 大 🔒 e\u0301",
        " spaces stay ",
      })
  void aNoteIsKeptAsItIs(String text) {
    take("report", LONG, LockNote.of(text));
    assertNote("report", LockNote.of(text));
  }

  @Test
  void theLongestNoteIsKept() {
    LockNote longest = LockNote.of("🔒".repeat(LockNote.MOST_BYTES / 4));
    take("report", LONG, longest);
    assertNote("report", longest);
  }

  @Test
  void aNoteStaysWhenTheLeaseIsExtended() {
    Grant grant = take("report", LONG, NOTE);
    assertThat(extend(grant, LONG)).isTrue();
    assertNote("report", NOTE);
  }

  @Test
  void theNextHolderHasItsOwnNoteOrNone() {
    release(take("report", LONG, NOTE));
    Grant next = take("report");
    assertNoNote("report");
    release(next);
    take("report", LONG, OTHER);
    assertNote("report", OTHER);
  }

  @Test
  void theHolderAfterALeaseThatRanOutHasItsOwnNoteOrNone() {
    take("none", SHORT, NOTE);
    take("other", SHORT, NOTE);
    passBeyond(SHORT);
    take("none");
    take("other", LONG, OTHER);
    assertNoNote("none");
    assertNote("other", OTHER);
  }

  @Test
  void aRefusedAttemptLeavesTheNoteOfTheHolder() {
    take("report", LONG, NOTE);
    assertThat(backend.acquire(key("report"), newId(), LONG, OTHER, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertNote("report", NOTE);
  }

  @Test
  void aNoteIsNoPartOfWhoTheHolderIs() {
    Grant grant = take("report", LONG, NOTE);
    AcquireResult again = backend.acquire(grant.key(), grant.id(), LONG, OTHER, NEVER);
    assertSameLease(grant.fence(), grant.expiresAt(), again);
    AcquireResult without = backend.acquire(grant.key(), grant.id(), LONG, NEVER);
    assertSameLease(grant.fence(), grant.expiresAt(), without);
    assertNote("report", NOTE);
    assertThat(release(grant)).isTrue();
  }

  @Test
  void notesOfDifferentKeysAreNotMixedUp() {
    take("one", LONG, NOTE);
    take("two", LONG, OTHER);
    assertNote("one", NOTE);
    assertNote("two", OTHER);
  }
}
