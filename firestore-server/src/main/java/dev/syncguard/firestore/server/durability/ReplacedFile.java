package dev.syncguard.firestore.server.durability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** A small text that is replaced as a whole: after a power cut it is the old one, or the new one. Not thread-safe. */
public final class ReplacedFile {
  private final Path file;
  private final Disk disk;

  ReplacedFile(Path directory, String name, Disk disk) {
    this.file = directory.resolve(name);
    this.disk = disk;
  }

  /** Returns its lines; none if it was never written. */
  public List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, UTF_8) : List.of();
  }

  /** Replaces it, and returns when the new text survives a power cut. */
  public void replace(String text) throws IOException {
    replace(
        disk,
        file,
        file.resolveSibling(file.getFileName() + ".tmp"),
        List.of(text.getBytes(UTF_8)).iterator());
  }

  /**
   * Writes a file under another name and moves it to its place when it is whole: after a power cut the old one is there, or
   * the new one.
   */
  static void replace(Disk disk, Path file, Path unfinished, Iterator<byte[]> pieces)
      throws IOException {
    disk.delete(unfinished);
    try (Disk.Appender out = disk.append(unfinished)) {
      while (pieces.hasNext()) {
        out.write(ByteBuffer.wrap(pieces.next()));
      }
      out.force();
    }
    disk.move(unfinished, file);
    disk.sync(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
