package dev.syncguard.firestore.server.store;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStore.TxCounter;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/**
 * One ordered map from bytes to bytes, on an engine that copies what it changes: whoever holds a root sees the map as it
 * was, for as long as it likes, and nobody waits. One thread may write at a time; threads may share roots.
 *
 * <p>With a file, what does not fit into memory is kept there. The file is not safe against crashes; it need not be.
 */
final class KeySpace {
  private static final int KEYS_PER_PAGE_IN_MEMORY = 32;

  private final MVStore engine;
  private final MVMap<byte[], byte[]> map;
  private final @Nullable EngineMemory memory;
  private long tidiedVersion;

  private KeySpace(MVStore engine, @Nullable EngineMemory memory) {
    this.engine = engine;
    this.memory = memory;
    this.map = engine.openMap(
        "keys",
        new MVMap.Builder<byte[], byte[]>()
            .keyType(KeyBytes.INSTANCE)
            .valueType(IndexedBytes.INSTANCE));
  }

  /** Returns one that is all in memory. */
  static KeySpace inMemory() {
    return new KeySpace(
        new MVStore.Builder().keysPerPage(KEYS_PER_PAGE_IN_MEMORY).open(), null);
  }

  /** @param file where to keep what does not fit into its share of the memory */
  static KeySpace open(Path file, EngineMemory memory) {
    MVStore engine = new MVStore.Builder()
        .fileName(file.toString())
        .autoCommitDisabled() // no thread of its own; it still writes when too much is unwritten
        .autoCommitBufferSize(memory.bufferBytes() >> 10)
        .open();
    engine.setRetentionTime(0); // nothing is recovered from what was replaced
    memory.join(engine);
    return new KeySpace(engine, memory);
  }

  byte @Nullable [] put(byte[] key, byte[] value) {
    return map.put(key, value);
  }

  byte @Nullable [] remove(byte[] key) {
    return map.remove(key);
  }

  /** Returns the map as it is now. It must be released. */
  Root root() {
    RootReference<byte[], byte[]> reference = map.getRoot();
    // An empty map needs nothing of the file. To hold its version would keep all that is replaced
    // while the first documents are loaded, which nobody sees before the last.
    return new Root(
        reference, reference.root.getTotalCount() == 0 ? null : engine.registerVersionUsage());
  }

  /** Removes everything. */
  void clear() {
    map.clear();
  }

  /**
   * Gives back what is no longer needed of the file, if the engine has written to it since the last time and less than
   * half of it is in use. A piece of the file is free only when nothing in it is needed, and one that is filled in no
   * order always holds something: so this must move as much as is written, or a long load outgrows its data many times.
   */
  void tidy() {
    if (memory == null) {
      return;
    }
    int bufferBytes = memory.bufferBytes();
    if (engine.getUnsavedMemory() > bufferBytes) {
      engine.commit(); // its share has become smaller since it was opened
    }
    if (engine.getCurrentVersion() != tidiedVersion) {
      engine.compact(50, bufferBytes);
      tidiedVersion = engine.getCurrentVersion();
      dropWriteBuffer();
    }
  }

  /** Takes from the engine what it would keep for its next chunk, also when it is closed: up to 4 MiB for each database. */
  private void dropWriteBuffer() {
    if (memory != null) {
      var unused = engine.getFileStore().getWriteBuffer();
    }
  }

  void close() {
    engine.close();
    leave();
  }

  /** Gives the file up as it is. */
  void abandon() {
    engine.closeImmediately();
    leave();
  }

  private void leave() {
    dropWriteBuffer();
    if (memory != null) {
      memory.leave(engine);
    }
  }

  /** The map as it was at one moment. Threads may share it, each between acquiring and releasing it. */
  final class Root {
    private final RootReference<byte[], byte[]> reference;
    private final @Nullable TxCounter usage;
    private final AtomicInteger users = new AtomicInteger(1);

    private Root(RootReference<byte[], byte[]> reference, @Nullable TxCounter usage) {
      this.reference = reference;
      this.usage = usage;
    }

    /** Must be called while somebody else still holds it. */
    void acquire() {
      users.incrementAndGet();
    }

    void release() {
      if (users.decrementAndGet() == 0 && usage != null) {
        engine.deregisterVersionUsage(usage);
      }
    }

    byte @Nullable [] get(byte[] key) {
      return map.get(reference.root, key);
    }

    /** Returns the entries from a key on, before another one. */
    Entries entries(byte[] from, byte[] before, boolean descending) {
      return entries(from, before, descending, new Visits());
    }

    /** @param visits is told of each */
    Entries entries(byte[] from, byte[] before, boolean descending, Visits visits) {
      return new Entries(
          descending
              ? map.cursor(reference, before, from, true)
              : map.cursor(reference, from, before, false),
          from,
          before,
          visits);
    }

    boolean isEmpty(byte[] from, byte[] before) {
      return entries(from, before, false).isOver();
    }
  }
}
