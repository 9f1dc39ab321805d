package dev.syncguard.firestore.server.store;

import java.util.HashSet;
import java.util.Set;
import org.h2.mvstore.MVStore;

/**
 * The memory that databases with a file share for what they have read and what they have not written yet. However many
 * there are, they have no more of it together, apart from a mebibyte for each, below which the engine does not go.
 * Thread-safe.
 */
public final class EngineMemory {
  private static final int LEAST_BUFFER_BYTES = 64 << 10;

  private final long cacheBytes;
  private final long bufferBytes;
  private final Set<MVStore> engines = new HashSet<>();
  private int shares = 1;

  /** Creates one that may take about a quarter of the heap. */
  public EngineMemory() {
    this(Runtime.getRuntime().maxMemory());
  }

  private EngineMemory(long heap) {
    this(Math.min(heap / 6, 1L << 30), Math.min(heap / 16, 64 << 20));
  }

  EngineMemory(long cacheBytes, long bufferBytes) {
    this.cacheBytes = cacheBytes;
    this.bufferBytes = bufferBytes;
  }

  /** Gives an engine its share. That of the others gets smaller only when there are twice as many: it empties their caches. */
  synchronized void join(MVStore engine) {
    engines.add(engine);
    if (engines.size() > shares) {
      shares *= 2;
      engines.forEach(this::limit);
    } else {
      limit(engine);
    }
  }

  synchronized void leave(MVStore engine) {
    engines.remove(engine);
  }

  private void limit(MVStore engine) {
    engine.setCacheSize((int) (cacheBytes / shares / 1024));
  }

  /** Returns how much each may leave unwritten. */
  synchronized int bufferBytes() {
    return (int) Math.max(LEAST_BUFFER_BYTES, bufferBytes / shares);
  }
}
