package dev.syncguard.firestore.server.durability;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file that a database works on, beside its directory. All that it holds is also in the snapshot and the logs, so it
 * is trusted only as it was sealed: when it was closed in peace, with a checksum over every byte. In any other case it is
 * thrown away and made again.
 */
final class WorkingFile {
  /** How keys and pages are encoded. A file of another version is made again. */
  private static final int FORMAT = 3;

  private final Path parent;
  private final Path file;
  private final Path seal;
  private final Disk disk;

  /** What the file was sealed for: these logs, with this checksum, after a snapshot of so many documents. */
  record Origin(long snapshot, long lastLog, long logChecksum, long documents) {}

  /** @param directory of the database; no database can have the name of the file */
  WorkingFile(Path directory, Disk disk) {
    this.parent = Objects.requireNonNull(directory.toAbsolutePath().getParent());
    this.file = directory.resolveSibling(directory.getFileName() + "~working");
    this.seal = directory.resolveSibling(directory.getFileName() + "~sealed");
    this.disk = disk;
  }

  Path path() {
    return file;
  }

  /** Returns what the file was sealed for if it still is as it was then, or null. */
  @Nullable
  Origin sealed() throws IOException {
    if (!Files.exists(seal) || !Files.exists(file)) {
      return null;
    }
    StringBuilder words = new StringBuilder();
    Frames.Scan scan = Frames.scan(seal, payload -> {
      words.append(new String(payload, StandardCharsets.UTF_8));
      return true;
    });
    if (scan.damage() != Frames.Damage.NONE || scan.whole() != 1) {
      return null;
    }
    long[] numbers = Arrays.stream(words.toString().split(" ", -1))
        .mapToLong(Long::parseLong)
        .toArray();
    boolean same = numbers.length == 7
        && numbers[0] == FORMAT
        && numbers[5] == Files.size(file)
        && numbers[6] == checksum(List.of(file));
    return same ? new Origin(numbers[1], numbers[2], numbers[3], numbers[4]) : null;
  }

  /** Breaks the seal, which must be gone for good before the file changes. */
  void open() throws IOException {
    if (Files.exists(seal)) {
      disk.delete(seal);
      disk.sync(parent);
    }
  }

  /** Seals the file, to which nobody may write any more. */
  void seal(Origin origin) throws IOException {
    disk.force(file);
    String words = String.join(
        " ",
        Integer.toString(FORMAT),
        Long.toString(origin.snapshot()),
        Long.toString(origin.lastLog()),
        Long.toString(origin.logChecksum()),
        Long.toString(origin.documents()),
        Long.toString(Files.size(file)),
        Long.toString(checksum(List.of(file))));
    ReplacedFile.replace(
        disk,
        seal,
        seal.resolveSibling(seal.getFileName() + ".tmp"),
        List.of(Frames.encode(words.getBytes(StandardCharsets.UTF_8))).iterator());
  }

  /** Removes the file; the seal must be broken. */
  void delete() throws IOException {
    disk.delete(file);
  }

  /** Returns a checksum over all bytes of the files, one after the other. */
  static long checksum(List<Path> files) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] buffer = new byte[1 << 16];
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          checksum.update(buffer, 0, read);
        }
      }
    }
    return checksum.getValue();
  }
}
