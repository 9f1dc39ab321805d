package dev.syncguard.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where a benchmark puts its files; all of them are gone when it is closed. */
public final class Workspace implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path disk;
  private final Path memory;

  private Workspace(Path disk, Path memory) {
    this.disk = disk;
    this.memory = memory;
  }

  /** Returns a workspace whose disk is the one that this directory is on. */
  static Workspace on(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new Workspace(Files.createTempDirectory(directory, "store-"), newMemory(directory));
  }

  /** Returns a workspace without a disk, for those who only want to see that everything runs. */
  static Workspace withoutDisk(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new Workspace(newMemory(directory), newMemory(directory));
  }

  private static Path newMemory(Path otherwise) throws IOException {
    return Files.createTempDirectory(
        Files.isWritable(MEMORY) ? MEMORY : otherwise, "syncguard-benchmarks-");
  }

  /** Returns a file on the disk. */
  public Path onDisk(String name) {
    return disk.resolve(name);
  }

  /** Returns a file in memory, where nothing waits for a disk. On a system without such files it is on the disk. */
  public Path inMemory(String name) {
    return memory.resolve(name);
  }

  Path disk() {
    return disk;
  }

  @Override
  public void close() throws IOException {
    for (Path directory : List.of(memory, disk)) {
      if (Files.exists(directory)) {
        delete(directory);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
