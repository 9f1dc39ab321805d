package dev.syncguard.sync.jvm;

import dev.syncguard.sync.ForumIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file in the place of a forum: it holds the profile of one reader, for all devices on this machine.
 *
 * <p>With it sync can be tried and tested without an account. It holds the secret that leads to the reader's document, so
 * only its owner may read it. Devices may share it.
 */
final class AccountFile implements ForumIdentity {

  private final String userId;
  private final Path file;
  private final Executor engine;

  AccountFile(String userId, Path file, Executor engine) {
    this.userId = userId;
    this.file = file;
    this.engine = engine;
  }

  @Override
  public void currentUser(Consumer<Answer> callback) {
    answer(callback, () -> new User(userId, read()));
  }

  @Override
  public void updateOverrides(String user, String overrides, Consumer<Answer> callback) {
    answer(callback, () -> {
      write(overrides);
      return new User(userId, read());
    });
  }

  private void answer(Consumer<Answer> callback, Supplier<Answer> question) {
    engine.execute(() -> {
      Answer answer;
      try {
        answer = question.get();
      } catch (UncheckedIOException e) {
        answer = new Unknown();
      }
      callback.accept(answer);
    });
  }

  private @Nullable String read() {
    try {
      return Files.exists(file) ? Files.readString(file) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String overrides) {
    Path next = Path.of(file + ".new");
    try (FileChannel lock = FileChannel.open(
            Path.of(file + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var unused = lock.lock()) {
      Files.deleteIfExists(next);
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(
            next,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(next, overrides);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
