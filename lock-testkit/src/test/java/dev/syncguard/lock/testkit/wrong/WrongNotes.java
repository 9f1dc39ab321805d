package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.NoteContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.wrong.PlainStore.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Backends that tell something wrong about a holder, or make too much of what it says about itself. */
final class WrongNotes {

  private WrongNotes() {}

  static List<Wrong> all() {
    return List.of(
        new Wrong(
            "notes are forgotten",
            store -> new PlainBackend(store) {
              @Override
              void keep(LockId id, LockNote note) {}
            },
            NoteContract.class),
        new Wrong(
            "a note outlives its lease",
            KeepsNotesByKey::new,
            NoteContract.class,
            HandOffContract.class),
        new Wrong(
            "an extension forgets the note",
            store -> new PlainBackend(store) {
              @Override
              public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
                store.notes.remove(id);
                return super.extend(id, ttl, cancellation);
              }
            },
            NoteContract.class),
        new Wrong(
            "whoever is refused leaves its note with the holder",
            store -> new PlainBackend(store) {
              @Override
              AcquireResult noted(AcquireResult result, LockId id, LockNote note) {
                store.rows.values().forEach(row -> store.notes.put(row.id(), note));
                return result;
              }
            },
            NoteContract.class),
        new Wrong(
            "another note makes another holder",
            store -> new PlainBackend(store) {
              @Override
              public AcquireResult acquire(
                  LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
                LockNote known = store.notes.get(id);
                return known == null || known.equals(note)
                    ? super.acquire(key, id, ttl, note, cancellation)
                    : new AcquireResult.Contended();
              }
            },
            NoteContract.class),
        new Wrong(
            "long notes are cut off",
            store -> new PlainBackend(store) {
              @Override
              void keep(LockId id, LockNote note) {
                String text = note.text();
                super.keep(id, LockNote.of(text.substring(0, Math.min(64, text.length()))));
              }
            },
            NoteContract.class),
        new Wrong(
            "nobody is counted in line",
            store -> new PlainBackend(store) {
              @Override
              OptionalInt waiting(LockKey key) {
                return OptionalInt.of(0);
              }
            },
            WaitingLineContract.class),
        new Wrong(
            "the list leaves notes out",
            store -> new PlainBackend(store) {
              @Override
              List<LockInfoDebug> list(int limit, Cancellation cancellation) {
                synchronized (store) {
                  admit(cancellation);
                  return store.rows.values().stream()
                      .map(row -> row.describe(store.now()))
                      .toList();
                }
              }
            },
            ListingContract.class));
  }

  /** Does not ask whose note it was. */
  private static final class KeepsNotesByKey extends PlainBackend {
    private final Map<LockKey, LockNote> notes = new HashMap<>();

    KeepsNotesByKey(PlainStore store) {
      super(store);
    }

    @Override
    void keep(LockId id, LockNote note) {
      notes.put(store.index.get(id), note);
    }

    @Override
    Optional<LockNote> noteOf(Row row) {
      return Optional.ofNullable(notes.get(row.key()));
    }
  }
}
