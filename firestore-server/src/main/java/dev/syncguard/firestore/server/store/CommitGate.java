package dev.syncguard.firestore.server.store;

import java.util.List;

/** The last word on a commit before its preconditions are looked at. */
@FunctionalInterface
public interface CommitGate {
  /** Lets everything pass. */
  CommitGate OPEN = (present, micros, writes) -> {};

  /** Lets everything pass, unnoticed by triggers. */
  CommitGate QUIET = new CommitGate() {
    @Override
    public void check(Snapshot present, long micros, List<StagedWrite> writes) {}

    @Override
    public boolean isQuiet() {
      return true;
    }
  };

  /** Returns whether triggers are not told of the commit. */
  default boolean isQuiet() {
    return false;
  }

  /**
   * Throws to refuse the commit. The snapshot shows the state before it.
   *
   * @param micros the time of the commit
   */
  void check(Snapshot present, long micros, List<StagedWrite> writes);
}
