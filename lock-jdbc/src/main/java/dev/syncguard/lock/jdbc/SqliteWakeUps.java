package dev.syncguard.lock.jdbc;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes waiters across processes: whoever waits listens on a Unix domain socket beside the file, and whoever frees a key
 * connects to the socket of the next in line and sends its token.
 *
 * <p>The kernel wakes the listening thread, so a waiter costs nothing while nothing happens; and it refuses a connection to
 * a process that is gone, so the dead are found at once. Nothing here waits for another process: one that is stopped is
 * called and does not come. A message is only a hint, the file is the truth. Where no socket can be had (the path is too
 * long, the file system has none) waiters poll. Thread-safe.
 */
final class SqliteWakeUps implements AutoCloseable {

  /** What became of a call. */
  enum Call {
    /** It was delivered, or could not be because the process is busy or not ours to call. */
    MADE,
    /** Nobody listens there any more. */
    NOBODY_THERE
  }

  private static final String INFIX = "-wake-";
  private static final int BACKLOG = 50;
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path file;
  private final Map<Long, Runnable> waiters = new ConcurrentHashMap<>();
  private final ReentrantLock guard = new ReentrantLock();
  private volatile @Nullable Listener listener;
  private boolean unavailable;

  /** Creates wake-ups for the waiters at a database file, whose directory the sockets share. */
  SqliteWakeUps(Path file) {
    this.file = file;
  }

  private record Listener(ServerSocketChannel channel, Path socket) {
    String name() {
      return String.valueOf(socket.getFileName());
    }
  }

  void expect(long token, Runnable wakeUp) {
    waiters.put(token, wakeUp);
  }

  void forget(long token) {
    waiters.remove(token);
  }

  /**
   * Starts to listen if need be, and returns the name of the socket, or empty if there can be none.
   *
   * @param inUse the names of sockets on which somebody waits, asked only when a new one is opened
   */
  Optional<String> listen(Supplier<Set<String>> inUse) {
    Listener open = listener;
    if (open == null) {
      guard.lock();
      try {
        if (listener == null && !unavailable) {
          start(inUse);
        }
        open = listener;
      } finally {
        guard.unlock();
      }
    }
    return Optional.ofNullable(open).map(Listener::name);
  }

  boolean isListening() {
    return listener != null;
  }

  private void start(Supplier<Set<String>> inUse) {
    try {
      removeAbandoned(inUse.get());
      Listener opened = open();
      Thread thread = new Thread(() -> run(opened), "syncguard-sqlite-wake-ups");
      thread.setDaemon(true);
      thread.start();
      listener = opened;
    } catch (IOException | UnsupportedOperationException e) {
      unavailable = true;
    }
  }

  private Listener open() throws IOException {
    String id = UUID.randomUUID().toString().substring(0, 13);
    Path unfinished = beside("-new-" + id);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(unfinished), BACKLOG);
      if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
        // Whoever may write the file may call.
        Files.setPosixFilePermissions(unfinished, Files.getPosixFilePermissions(file));
      }
      // It gets its name only now: a socket that exists but does not listen yet looks abandoned.
      return new Listener(channel, Files.move(unfinished, beside(INFIX + id)));
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(unfinished);
      throw e;
    }
  }

  private Path beside(String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Deletes the sockets of processes that were killed. Those on which somebody waits are found when they are called. */
  private void removeAbandoned(Set<String> inUse) throws IOException {
    Path directory = file.getParent();
    if (directory == null) {
      return;
    }
    String prefix = file.getFileName() + INFIX;
    try (DirectoryStream<Path> sockets = Files.newDirectoryStream(
        directory, path -> String.valueOf(path.getFileName()).startsWith(prefix))) {
      for (Path socket : sockets) {
        if (!inUse.contains(String.valueOf(socket.getFileName()))) {
          call(socket, 0);
        }
      }
    }
  }

  private void run(Listener listening) {
    while (listening.channel.isOpen()) {
      try (SocketChannel caller = listening.channel.accept()) {
        wake(tokenOf(caller));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | Error e) {
        // Without this thread nobody would be woken any more, so it goes on whatever happens.
        warn(e);
        LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
      }
    }
  }

  /** Looks for a logger only now: that opens every jar of the class path, and a command line waits for it. */
  private static void warn(Throwable e) {
    System.getLogger(SqliteWakeUps.class.getName())
        .log(WARNING, "A call to waiters failed; they look by themselves from time to time", e);
  }

  /** Returns what the caller sent, or 0 if that is not there yet: nobody waits for a process that may have been stopped. */
  private static long tokenOf(SocketChannel caller) throws IOException {
    caller.configureBlocking(false);
    ByteBuffer message = ByteBuffer.allocate(Long.BYTES);
    return caller.read(message) == Long.BYTES ? message.getLong(0) : 0;
  }

  private void wake(long token) {
    if (token == 0) {
      waiters.values().forEach(Runnable::run);
    } else {
      Optional.ofNullable(waiters.get(token)).ifPresent(Runnable::run);
    }
  }

  /** Tells a waiter that another attempt is worth while. */
  Call call(String name, long token) {
    Listener ours = listener;
    if (ours != null && ours.name().equals(name)) {
      Runnable wakeUp = waiters.get(token);
      if (wakeUp == null) {
        return Call.NOBODY_THERE;
      }
      wakeUp.run();
      return Call.MADE;
    }
    return name.startsWith(file.getFileName() + INFIX)
        ? call(file.resolveSibling(name), token)
        : Call.NOBODY_THERE;
  }

  private static Call call(Path socket, long token) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      if (channel.connect(UnixDomainSocketAddress.of(socket))) {
        channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, token));
      }
      return Call.MADE;
    } catch (ConnectException e) {
      delete(socket);
      return Call.NOBODY_THERE;
    } catch (IOException | UnsupportedOperationException e) {
      return Files.exists(socket) ? Call.MADE : Call.NOBODY_THERE;
    }
  }

  private static void delete(Path socket) {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      // It stays until somebody may delete it.
    }
  }

  @Override
  public void close() {
    guard.lock();
    try {
      unavailable = true;
      Listener open = listener;
      listener = null;
      if (open != null) {
        delete(open.socket);
        open.channel.close();
      }
    } catch (IOException e) {
      // It is gone either way.
    } finally {
      guard.unlock();
    }
  }
}
