package dev.syncguard.sync.jvm;

import dev.syncguard.sync.KeyValueStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory with one file for each key, for one program at a time.
 *
 * <p>A value is written beside the old one, forced to the disk and then moved into its place, so that a crash leaves
 * either the one or the other. Not thread-safe.
 */
final class FileStore implements KeyValueStore, AutoCloseable {

  private static final String NEW = ".new";

  private final Path directory;
  private final FileChannel lockFile;

  private FileStore(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /**
   * Opens a directory, which is created for its owner alone if it is missing.
   *
   * @throws DeviceBusyException if another program uses it
   */
  static FileStore open(Path directory) {
    try {
      createPrivately(directory);
      FileChannel channel = FileChannel.open(
          directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (lock(channel) == null) {
          throw new DeviceBusyException();
        }
        return new FileStore(directory, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The directory of the device cannot be used", e);
    }
  }

  private static void createPrivately(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(directory);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another device of this very JVM.
      return null;
    }
  }

  @Override
  public @Nullable String get(String key) {
    try {
      return Files.readString(file(key));
    } catch (NoSuchFileException e) {
      // Somebody who has lost everything must not be taken for somebody who has nothing yet.
      requireDirectory();
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("A stored value cannot be read", e);
    }
  }

  @Override
  public void set(String key, String value) {
    Path file = file(key);
    Path next = Path.of(file + NEW);
    try {
      try (FileChannel channel = FileChannel.open(
          next,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
      forceDirectory();
    } catch (IOException e) {
      throw new UncheckedIOException("A value cannot be stored", e);
    }
  }

  @Override
  public void remove(String key) {
    try {
      if (Files.deleteIfExists(file(key))) {
        forceDirectory();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("A stored value cannot be removed", e);
    }
  }

  /** Without this a name, unlike the bytes behind it, may not survive a loss of power. */
  private void forceDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private Path file(String key) {
    return directory.resolve(URLEncoder.encode(key, StandardCharsets.UTF_8) + ".value");
  }

  /** Nobody else can change anything while we have the directory. */
  @Override
  public void onForeignChange(Consumer<String> listener) {}

  /** Throws if the directory was deleted. */
  void requireDirectory() {
    if (!Files.isDirectory(directory)) {
      throw new UncheckedIOException(
          "The directory of the device is gone", new NoSuchFileException(directory.toString()));
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The directory of the device cannot be unlocked", e);
    }
  }
}
