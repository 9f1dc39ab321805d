package dev.syncguard.firestore.server.store;

import java.util.List;

/** What changed at one instant. */
public record Commit(long micros, List<Change> changes) {
  public Commit {
    changes = List.copyOf(changes);
  }
}
