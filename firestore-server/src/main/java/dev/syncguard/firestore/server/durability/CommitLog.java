package dev.syncguard.firestore.server.durability;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Journal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log that commits are appended to. Thread-safe.
 *
 * <p>Appending only fills a buffer. Whoever waits for its commit first writes the whole buffer and, if wanted, forces it
 * to disk, for itself and for all that joined meanwhile; the others wait for it. If the disk fails, nobody can say what
 * it holds, so the log answers nothing any more until the server is started again.
 */
final class CommitLog implements Journal {
  private final LogFiles files;
  private final Workplace workplace;
  private final Fsync fsync;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition written = lock.newCondition();
  private Disk.Appender channel;
  private long number;
  private ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private long appended;
  private long safe;
  private long size;
  private boolean writing;
  private @Nullable Throwable failure;

  CommitLog(LogFiles files, Workplace workplace, Fsync fsync, long number) throws IOException {
    this.files = files;
    this.workplace = workplace;
    this.fsync = fsync;
    this.number = number;
    this.channel = open(number);
    this.size = channel.size();
  }

  private Disk.Appender open(long logNumber) throws IOException {
    Disk.Appender opened = files.disk().append(files.log(logNumber));
    files.syncDirectory();
    return opened;
  }

  @Override
  public Receipt append(Commit commit) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    CommitCodec.encode(commit, part -> frames.writeBytes(Frames.encode(part)));
    lock.lock();
    try {
      requireHealthy();
      frames.writeTo(buffer); // all of it at once, or nothing if there is no room
      long ticket = ++appended;
      return () -> await(ticket);
    } catch (IOException e) {
      throw new UncheckedIOException("Memory does not fail like this", e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Workplace workplace() {
    return workplace;
  }

  /** Returns how many bytes the present file holds. */
  long size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /** Starts a new file, with everything appended so far in the old ones, and returns its number. */
  long rotate() throws IOException {
    lock.lock();
    try {
      flush();
      requireHealthy();
      Disk.Appender next = open(number + 1);
      channel.force();
      channel.close();
      channel = next;
      size = 0;
      return ++number;
    } finally {
      lock.unlock();
    }
  }

  /** Brings everything written so far to disk. */
  void sync() throws IOException {
    lock.lock();
    try {
      flush();
      if (failure == null) {
        channel.force();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes the log and returns whether everything that was appended is safe in it. */
  boolean close() throws IOException {
    lock.lock();
    try (Disk.Appender closing = channel) {
      flush();
      if (failure == null) {
        closing.force();
      }
      return failure == null;
    } finally {
      failure = new IOException("The log is closed");
      lock.unlock();
    }
  }

  private void await(long ticket) {
    lock.lock();
    try {
      while (safe < ticket) {
        requireHealthy();
        if (writing) {
          written.awaitUninterruptibly();
        } else {
          write();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void flush() {
    while (failure == null && (writing || safe < appended)) {
      if (writing) {
        written.awaitUninterruptibly();
      } else {
        write();
      }
    }
  }

  /** Writes what has been appended so far, with the lock open meanwhile so that more can be appended. */
  private void write() {
    byte[] full = buffer.toByteArray();
    long upTo = appended;
    buffer = new ByteArrayOutputStream();
    writing = true;
    Disk.Appender target = channel;
    lock.unlock();
    Throwable problem = null;
    try {
      target.write(ByteBuffer.wrap(full));
      if (fsync == Fsync.EVERY_COMMIT) {
        target.force();
      }
    } catch (Throwable e) { // also an Error: what was in the buffer is on its way to nowhere
      problem = e;
    } finally {
      lock.lock();
      writing = false;
    }
    if (problem == null) {
      safe = upTo;
      size += full.length;
    } else if (failure == null) {
      failure = problem;
    }
    written.signalAll();
  }

  private void requireHealthy() {
    if (failure != null) {
      throw new FirestoreServerException(
          Code.UNAVAILABLE,
          "The commit log cannot be written; make room and start the server again.",
          failure);
    }
  }
}
