package dev.syncguard.firestore.server.store;

import java.util.List;

/** The last word on a commit before its preconditions are looked at. */
@FunctionalInterface
public interface CommitGate {
  /** Lets everything pass. */
  CommitGate OPEN = (present, micros, writes) -> {};

  /**
   * Throws to refuse the commit. The snapshot shows the state before it.
   *
   * @param micros the time of the commit
   */
  void check(Snapshot present, long micros, List<StagedWrite> writes);
}
