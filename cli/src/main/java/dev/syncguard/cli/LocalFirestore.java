package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.lock.LockException;
import dev.syncguard.sync.PersistenceSync;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One Firestore for all terminals of a user: whoever comes first runs it, the others join, and when it leaves, one of
 * those who are still there runs it on.
 *
 * <p>All of them use one port, which is remembered with the data, so that an address stays good.
 */
final class LocalFirestore implements ReaderSession.Server {

  private static final int ATTEMPTS = 400;
  private static final long PAUSE_MILLIS = 50;
  private static final long LOOK_MILLIS = 500;

  private final Path directory;
  private final FileChannel lockFile;
  private @Nullable FirestoreServer ours;
  private String address = "";
  private boolean closed;

  private LocalFirestore(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /** Joins the Firestore whose data is in this directory, or runs it. */
  static LocalFirestore join(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel lockFile = FileChannel.open(
          directory.resolve("running"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      LocalFirestore joined = new LocalFirestore(directory, lockFile);
      joined.join();
      return joined;
    } catch (IOException e) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "The directory of the local Firestore cannot be used: " + directory,
          e);
    }
  }

  String address() {
    return address;
  }

  private void join() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryToRun() || isRunning()) {
        Thread heir = new Thread(this::runOnWhenOthersLeave, "syncguard-local-firestore");
        heir.setDaemon(true);
        heir.start();
        return;
      }
      pause(PAUSE_MILLIS);
    }
    lockFile.close();
    throw new LockException(
        LockException.Code.SERVICE_UNAVAILABLE,
        "Another terminal runs the local Firestore, but it does not answer; end that terminal");
  }

  private synchronized boolean tryToRun() throws IOException {
    if (closed || ours != null) {
      return ours != null;
    }
    if (lock() == null) {
      return false;
    }
    int port = rememberedPort();
    try {
      ours = start(port);
    } catch (FirestoreServerException e) {
      // Somebody else has our port by now.
      ours = start(0);
    }
    address = ours.emulatorHost();
    Files.writeString(directory.resolve("address"), address);
    return true;
  }

  private @Nullable FileLock lock() throws IOException {
    try {
      return lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private FirestoreServer start(int port) throws IOException {
    return FirestoreServer.builder()
        .port(port)
        .rules(shipped("firestore.rules"))
        .indexes(IndexFile.parse(shipped("firestore.indexes.json")))
        .dataDirectory(directory.resolve("data"))
        .start();
  }

  /** Returns one of the files with which a project for sync is set up. */
  private static String shipped(String name) throws IOException {
    try (InputStream in = PersistenceSync.class.getResourceAsStream("firebase/" + name)) {
      if (in == null) {
        throw new IOException("The program lacks its file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private int rememberedPort() throws IOException {
    Path file = directory.resolve("address");
    if (!Files.exists(file)) {
      return 0;
    }
    address = Files.readString(file);
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private boolean isRunning() throws IOException {
    int port = rememberedPort();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return port != 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void runOnWhenOthersLeave() {
    try {
      while (!isClosed()) {
        pause(LOOK_MILLIS);
        tryToRun();
      }
    } catch (IOException | RuntimeException e) {
      // Sync shows as offline then; the next command finds out why.
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try (lockFile) {
      if (ours != null) {
        ours.close();
      }
    } catch (IOException e) {
      // The lock goes with the process.
    }
  }
}
