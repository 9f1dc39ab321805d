package dev.syncguard.firestore.server.store;

import java.util.List;

/**
 * What changed at one instant.
 *
 * @param quiet whether triggers are not told of it, as of an import
 */
public record Commit(long micros, List<Change> changes, boolean quiet) {
  public Commit {
    changes = List.copyOf(changes);
  }

  /** Makes a commit that triggers are told of. */
  public Commit(long micros, List<Change> changes) {
    this(micros, changes, false);
  }

  /** Returns the same with the documents that it found. */
  Commit after(Snapshot before) {
    List<Change> found = changes.stream()
        .map(change -> new Change(change.name(), before.get(change.name()), change.after()))
        .toList();
    return new Commit(micros, found, quiet);
  }
}
