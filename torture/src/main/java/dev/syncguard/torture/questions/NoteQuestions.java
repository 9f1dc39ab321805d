package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import java.util.List;
import java.util.Optional;

/** What holders say about themselves is kept as it is, for as long as their lease lasts, and decides nothing. */
final class NoteQuestions {

  private static final LockNote NOTE = LockNote.of("torture asks questions");
  private static final LockNote OTHER = LockNote.of("somebody else");
  private static final LockNote LONGEST = LockNote.of("\ud83d\udd12".repeat(50));

  private NoteQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("A note is shown as it is, by look-ups and in the list", store -> {
          for (LockNote note : List.of(NOTE, LONGEST)) {
            Held lease = taken(store, note);
            assertShown(store.shown(lease), Optional.of(note), "A look-up");
            Listed.find(store, lease).ifPresent(l -> assertShown(l, Optional.of(note), "The list"));
            store.backend().release(lease.id(), NEVER);
          }
        }),
        new Question(
            "A note stays when its lease is extended, and somebody else is refused", store -> {
              Held lease = taken(store, NOTE);
              expect(
                  store.backend().extend(lease.id(), LONG, NEVER) instanceof ExtendResult.Extended,
                  "A holder could not extend");
              assertShown(store.shown(lease), Optional.of(NOTE), "After an extension a look-up");
              expect(
                  store.backend().acquire(store.key(), store.newId(), LONG, OTHER, NEVER)
                      instanceof AcquireResult.Contended,
                  "A key that is held was granted once more");
              assertShown(store.shown(lease), Optional.of(NOTE), "After a refusal a look-up");
            }),
        new Question("A note ends with its lease", store -> {
          Held first = taken(store, NOTE);
          expect(
              store.backend().release(first.id(), NEVER) instanceof ReleaseResult.Released,
              "A holder could not release");
          assertShown(
              store.shown(store.take(store.key())),
              Optional.empty(),
              "Of the next holder a look-up");
        }),
        new Question("A note does not decide who the holder is", store -> {
          Held lease = taken(store, NOTE);
          expect(
              store.backend().acquire(store.key(), lease.id(), LONG, OTHER, NEVER)
                      instanceof AcquireResult.Acquired again
                  && again.fence().equals(lease.grant().fence()),
              "An attempt that was repeated with another note did not find its lease");
        }));
  }

  private static Held taken(Subject store, LockNote note) {
    Held lease = store.take(store.key(), store.newId(), note);
    if (!store.promises().keepsNotes() && store.shown(lease).note().isEmpty()) {
      throw NotDecided.notOffered("the store keeps no notes");
    }
    return lease;
  }

  private static void assertShown(LockInfoDebug lock, Optional<LockNote> note, String where) {
    expect(
        lock.note().equals(note),
        where + " told " + (lock.note().isPresent() ? "another note" : "no note"));
  }
}
