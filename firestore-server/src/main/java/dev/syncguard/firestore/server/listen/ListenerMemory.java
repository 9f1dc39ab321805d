package dev.syncguard.firestore.server.listen;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * How much memory all listeners together may take: for the names and times of the documents that they know, and while they
 * look for them. Thread-safe.
 */
final class ListenerMemory {
  /** About what a name of usual length and a time take in a map, and once more in what is still to be told. */
  private static final int BYTES_EACH = 250;

  /** What a search may need for a while where documents are large. */
  private static final long BYTES_OF_A_SEARCH = 4 << 20;

  private final long limit;
  private final Semaphore searches;
  private final AtomicLong all = new AtomicLong();

  /** @param maxBytes how much memory they may take */
  ListenerMemory(long maxBytes) {
    this.limit = maxBytes / BYTES_EACH;
    this.searches = new Semaphore((int) Math.max(2, Math.min(1_000, maxBytes / BYTES_OF_A_SEARCH)));
  }

  /** Returns whether another listener of many documents may soon be refused. */
  boolean isCrowded() {
    return all.get() >= limit / 2;
  }

  /** What one listener knows of it, until it is closed. Thread-safe. */
  final class Share implements AutoCloseable {
    private long mine;
    private boolean closed;

    /** Counts documents, or fewer of them. */
    synchronized void add(int documents) {
      if (!closed) {
        mine += documents;
        all.addAndGet(documents);
      }
    }

    /** Looks for documents, with only so many others at the same time. */
    <T> T search(Supplier<T> search) {
      searches.acquireUninterruptibly();
      try {
        return search.get();
      } finally {
        searches.release();
      }
    }

    /** Refuses to let a listener know even more, when there are too many. */
    void require() {
      if (all.get() > limit) {
        throw new FirestoreServerException(
            Code.RESOURCE_EXHAUSTED,
            "The server's listeners have more results than there is memory for; listen to fewer documents.");
      }
    }

    /** Gives everything back at once, and counts no more. */
    @Override
    public synchronized void close() {
      closed = true;
      all.addAndGet(-mine);
      mine = 0;
    }
  }
}
