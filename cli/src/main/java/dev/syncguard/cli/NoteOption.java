package dev.syncguard.cli;

import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.LockRequest;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to tell those who wonder who holds a lock. */
final class NoteOption {

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Who holds the lock, for those who look: one line of up to 200 bytes. Everybody"
          + " who can read the store can read it, so put no secrets in it.")
  private @Nullable String words;

  /** Throws if the words make no note. */
  void check(Function<String, LockNote> note) {
    if (words != null) {
      LockNote unused = note.apply(words);
    }
  }

  /** Returns the request with what was given as a note, or as it is if nothing was. */
  LockRequest on(LockRequest request, Function<String, LockNote> note) {
    return words == null ? request : request.note(note.apply(words));
  }
}
