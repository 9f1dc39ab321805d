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
}
