package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * One file that late holders cannot overwrite: the fence is part of its name, and the highest one counts.
 *
 * <p>{@code report.csv} is kept as {@code report-000000000000042.csv}. A writer fills a file that nobody looks at, brings it to
 * the disk, and renames it in one step, so readers see all of it or nothing. Whoever finds a higher fence before or after
 * that takes its file away again. Older versions are deleted by the next writer. Immutable and thread-safe.
 */
public final class FileFenceGuard {

  private final FencedNames names;

  private FileFenceGuard(FencedNames names) {
    this.names = names;
  }

  /** Returns a guard for a file by the name that it would have without fences. Its directory must be there. */
  public static FileFenceGuard of(Path file) {
    return new FileFenceGuard(FencedNames.of(file));
  }

  /** Writes a new version under the fence of the lease; one that is lost is refused before anything is written. */
  public Path write(Lease lease, Content content) throws IOException {
    lease.ensureHeld(Duration.ZERO);
    return write(lease.fence(), content);
  }

  /** Writes a new version and returns its path, or throws {@link StaleFenceException} and leaves no trace. */
  public Path write(Fence fence, Content content) throws IOException {
    refuseIfStale(fence);
    Path draft = names.draft(fence, UUID.randomUUID());
    Path version = names.version(fence);
    try {
      writeDurably(draft, content);
      Files.move(draft, version, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      // A later holder has taken our draft away.
      refuseIfStale(fence);
      throw e;
    } finally {
      Files.deleteIfExists(draft);
    }
    try {
      refuseIfStale(fence);
    } catch (StaleFenceException e) {
      // Somebody was faster between the first look and the renaming. Nobody reads what is lower.
      Files.deleteIfExists(version);
      throw e;
    }
    names.makeDurable();
    names.deleteBelow(fence);
    return version;
  }

  /** Returns the version that counts, if there is one. The next writer deletes it: to read, use {@link #newInputStream()}. */
  public Optional<Path> latest() throws IOException {
    return names.highest().map(names::version);
  }

  /** Opens the version that counts, or throws {@link NoSuchFileException} if there is none. */
  public InputStream newInputStream() throws IOException {
    while (true) {
      Fence fence = names
          .highest()
          .orElseThrow(() -> new NoSuchFileException("No version of this file has been written"));
      try {
        return Files.newInputStream(names.version(fence));
      } catch (NoSuchFileException e) {
        // Replaced in between by a later holder's; anything else would repeat for ever.
        if (names.highest().filter(now -> now.compareTo(fence) > 0).isEmpty()) {
          throw e;
        }
      }
    }
  }

  private void refuseIfStale(Fence fence) throws IOException {
    if (names.highest().filter(seen -> seen.compareTo(fence) > 0).isPresent()) {
      throw new StaleFenceException(fence);
    }
  }

  private static void writeDurably(Path file, Content content) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      content.writeTo(out);
    }
    // Opened anew, because whoever wrote may have closed what it was given.
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** What is written into a version. */
  @FunctionalInterface
  public interface Content {
    /** Writes the whole content of the file. */
    void writeTo(OutputStream out) throws IOException;
  }
}
