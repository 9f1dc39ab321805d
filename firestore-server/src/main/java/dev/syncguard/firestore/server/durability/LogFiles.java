package dev.syncguard.firestore.server.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The files of one database: logs with rising numbers, and snapshots that stand for all logs with a lower number. A
 * snapshot is written beside its place and moved there when it is whole.
 */
final class LogFiles {
  private static final String LOG = "commits-";
  private static final String SNAPSHOT = "snapshot-";

  private final Path directory;
  private final Disk disk;

  LogFiles(Path directory, Disk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  Disk disk() {
    return disk;
  }

  Path directory() {
    return directory;
  }

  Path log(long number) {
    return directory.resolve(LOG + String.format("%016d", number));
  }

  Path snapshot(long number) {
    return directory.resolve(SNAPSHOT + String.format("%016d", number));
  }

  List<Long> logs() throws IOException {
    return numbers(LOG);
  }

  List<Long> snapshots() throws IOException {
    return numbers(SNAPSHOT);
  }

  private List<Long> numbers(String prefix) throws IOException {
    Predicate<String> matches = name -> name.matches(prefix + "[0-9]{16}");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(matches)
          .map(name -> Long.parseLong(name.substring(prefix.length())))
          .sorted()
          .toList();
    }
  }

  void writeSnapshot(long number, Iterator<byte[]> frames) throws IOException {
    ReplacedFile.replace(disk, snapshot(number), directory.resolve("snapshot.tmp"), frames);
  }

  void deleteBefore(long number) throws IOException {
    for (long old : logs()) {
      if (old < number) {
        disk.delete(log(old));
      }
    }
    for (long old : snapshots()) {
      if (old < number) {
        disk.delete(snapshot(old));
      }
    }
  }

  /** Removes the directory with all that is in it. */
  void delete() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        disk.delete(file);
      }
    }
    disk.delete(directory);
  }

  /** Makes the names of new files survive a power cut. */
  void syncDirectory() throws IOException {
    disk.sync(directory);
  }
}
