package dev.syncguard.firestore.server.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the commits of one database are written before they count. Thread-safe. */
public interface Journal {
  /** Keeps nothing: every commit counts at once. */
  Journal NONE = commit -> Receipt.DONE;

  /**
   * Takes a commit in its turn, or throws to refuse it. The caller holds the database still, so this must not wait for
   * the disk.
   */
  Receipt append(Commit commit);

  /** Returns where the database works, or null if all of it is to be kept in memory. */
  default @Nullable Workplace workplace() {
    return null;
  }

  /** A file for what does not fit into memory, and the memory that is shared with other databases. */
  record Workplace(Path file, EngineMemory memory) {}

  /** A promise that a commit will survive a crash. */
  interface Receipt {
    /** The receipt of a commit that need not wait. */
    Receipt DONE = () -> {};

    /** Waits until the commit is safe, or throws if it cannot be made safe. */
    void await();
  }
}
