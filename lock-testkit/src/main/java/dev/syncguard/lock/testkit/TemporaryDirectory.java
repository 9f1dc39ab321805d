package dev.syncguard.lock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is gone afterwards, with all that is in it. */
public final class TemporaryDirectory implements AutoCloseable {

  private final Path path;

  /** Creates an empty directory, which is deleted with all that is in it on {@link #close()}. */
  public TemporaryDirectory() {
    try {
      path = Files.createTempDirectory("syncguard-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try (Stream<Path> tree = Files.walk(path)) {
      // A test may have closed a directory to everybody.
      for (Path each : tree.filter(Files::isDirectory).toList()) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
