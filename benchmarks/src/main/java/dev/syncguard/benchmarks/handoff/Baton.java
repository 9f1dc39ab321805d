package dev.syncguard.benchmarks.handoff;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What is passed from holder to holder: a page of memory that all processes of a contest see.
 *
 * <p>It counts true hand-offs, those from one contender to another, and notices when two hold the lock at once. It needs
 * nothing from the lock, so that every lock is judged by the same measure. Thread-safe.
 */
public final class Baton {

  private static final VarHandle CELL =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int PAGE = 4096;

  private static final int OPEN = 0;
  private static final int INSIDE = 8;
  private static final int LAST = 16;
  private static final int HAND_OFFS = 24;
  private static final int CONTESTS = 32;

  private final MappedByteBuffer page;

  private Baton(MappedByteBuffer page) {
    this.page = page;
  }

  /** Maps the page in this file, which is created if it is missing. */
  public static Baton in(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Baton(channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE));
    }
  }

  /** Begins a contest: from now on hand-offs count. */
  void open() {
    CELL.setVolatile(page, HAND_OFFS, 0L);
    CELL.setVolatile(page, LAST, 0L);
    CELL.setVolatile(page, OPEN, 1L);
    CELL.setVolatile(page, CONTESTS, contests() + 1);
  }

  /** Returns how many contests have begun so far. */
  long contests() {
    return (long) CELL.getVolatile(page, CONTESTS);
  }

  void close() {
    CELL.setVolatile(page, OPEN, 0L);
  }

  boolean isOpen() {
    return (long) CELL.getVolatile(page, OPEN) == 1;
  }

  /** Called by a contender, with numbers from 1, when it got the lock. */
  void enter(long contender) {
    if (!CELL.compareAndSet(page, INSIDE, 0L, contender)) {
      throw new IllegalStateException("Two contenders held the lock at once");
    }
    long last = (long) CELL.getVolatile(page, LAST);
    CELL.setVolatile(page, LAST, contender);
    if (last != 0 && last != contender && isOpen()) {
      CELL.setVolatile(page, HAND_OFFS, handOffs() + 1);
    }
  }

  /** Called by the same contender before it gives the lock back. */
  void leave(long contender) {
    if (!CELL.compareAndSet(page, INSIDE, contender, 0L)) {
      throw new IllegalStateException("Somebody else held the lock at the same time");
    }
  }

  long handOffs() {
    return (long) CELL.getVolatile(page, HAND_OFFS);
  }
}
