package dev.syncguard.firestore.server.durability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small text that is replaced as a whole: after a power cut it is the old one, or the new one. Not thread-safe. */
public final class ReplacedFile {
  private final Path directory;
  private final Path file;
  private final Disk disk;

  ReplacedFile(Path directory, String name, Disk disk) {
    this.directory = directory;
    this.file = directory.resolve(name);
    this.disk = disk;
  }

  /** Returns its lines; none if it was never written. */
  public List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, UTF_8) : List.of();
  }

  /** Replaces it, and returns when the new text survives a power cut. */
  public void replace(String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    disk.delete(temporary);
    try (Disk.Appender written = disk.append(temporary)) {
      written.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
      written.force();
    }
    disk.move(temporary, file);
    disk.sync(directory);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
