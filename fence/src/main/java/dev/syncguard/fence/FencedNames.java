package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The versions of one file and the drafts of them, by their names in its directory. */
final class FencedNames {

  private final Path directory;
  private final String stem;
  private final String extension;
  private final Pattern versions;
  private final Pattern drafts;

  private FencedNames(Path directory, String stem, String extension) {
    this.directory = directory;
    this.stem = stem;
    this.extension = extension;
    String fenced = Pattern.quote(stem) + "-(\\d{15})" + Pattern.quote(extension);
    versions = Pattern.compile(fenced);
    drafts = Pattern.compile("\\." + fenced + "\\.[0-9a-f-]{36}\\.tmp");
  }

  static FencedNames of(Path file) {
    Path absolute = file.toAbsolutePath();
    Path directory = absolute.getParent();
    Path last = absolute.getFileName();
    if (directory == null || last == null) {
      throw new IllegalArgumentException("A guard for files needs the name of a file, not a root");
    }
    String name = last.toString();
    int dot = name.lastIndexOf('.');
    int end = dot > 0 ? dot : name.length();
    return new FencedNames(directory, name.substring(0, end), name.substring(end));
  }

  Path version(Fence fence) {
    return directory.resolve(name(fence));
  }

  Path draft(Fence fence, UUID unique) {
    return directory.resolve("." + name(fence) + "." + unique + ".tmp");
  }

  private String name(Fence fence) {
    return stem + "-" + fence.text() + extension;
  }

  Optional<Fence> highest() throws IOException {
    return entries().stream()
        .flatMap(entry -> fence(versions, entry).stream())
        .max(Comparator.naturalOrder());
  }

  /** Deletes versions and drafts of earlier holders, which count no more. */
  void deleteBelow(Fence fence) throws IOException {
    for (Path entry : entries()) {
      Optional<Fence> theirs = fence(versions, entry).or(() -> fence(drafts, entry));
      if (theirs.filter(other -> other.compareTo(fence) < 0).isPresent()) {
        Files.deleteIfExists(entry);
      }
    }
  }

  /** Brings the names themselves to the disk, where the system lets a directory be opened. */
  void makeDurable() {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows does not. There the file system decides when a rename survives a power cut.
    }
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }

  /** Returns the fence in a name. A number that is no fence makes a file of somebody else's. */
  private static Optional<Fence> fence(Pattern pattern, Path entry) {
    Matcher matcher = pattern.matcher(String.valueOf(entry.getFileName()));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return number >= 1 && number <= Fence.MAX ? Optional.of(new Fence(number)) : Optional.empty();
  }
}
