package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The commits that a listener has not been told of yet. If they become too many, all of them are lost, and with them the
 * listener: after a gap nothing it could be told is true. Thread-safe.
 */
final class PendingCommits {
  private static final int MAX_COMMITS = 10_000;
  private static final long MAX_BYTES = Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 16);

  private final Queue<Commit> commits = new ArrayDeque<>();
  private long bytes;
  private boolean lost;
  private boolean closed;

  /** Takes a commit, unless nobody will ever be told of it. */
  synchronized void add(Commit commit) {
    if (closed || lost) {
      return;
    }
    commits.add(commit);
    bytes += bytes(commit);
    if (commits.size() > MAX_COMMITS || (bytes > MAX_BYTES && commits.size() > 1)) {
      lost = true;
      clear();
    }
  }

  /** Returns whether the listener was too slow and some commits are lost. */
  synchronized boolean isLost() {
    return lost;
  }

  /** Removes and returns the oldest commit, unless it is later than the time. */
  synchronized @Nullable Commit takeUpTo(long micros) {
    Commit next = commits.peek();
    if (next == null || next.micros() > micros) {
      return null;
    }
    bytes -= bytes(next);
    return commits.poll();
  }

  synchronized void close() {
    closed = true;
    clear();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private void clear() {
    commits.clear();
    bytes = 0;
  }

  private static long bytes(Commit commit) {
    long bytes = 0;
    for (Change change : commit.changes()) {
      Document after = change.after();
      bytes += after == null ? 0 : after.getSerializedSize();
    }
    return bytes;
  }
}
