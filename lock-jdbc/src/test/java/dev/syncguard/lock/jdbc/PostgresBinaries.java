package dev.syncguard.lock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Which server a test runs against. */
enum PostgresBinaries {
  /** The newest that we support, from a Maven artifact. */
  NEWEST,
  /** The oldest that we support, from a Maven artifact that the build has put aside: it cannot be on the class path, too. */
  OLDEST,
  /** The newest that the system's packages offer. */
  SYSTEM;

  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

  /** Returns the directory of the programs. */
  Path directory() {
    return switch (this) {
      case SYSTEM -> installed();
      case NEWEST -> Newest.DIRECTORY;
      case OLDEST -> Oldest.DIRECTORY;
    };
  }

  private static Path installed() {
    try (Stream<Path> versions = Files.isDirectory(PACKAGES) ? Files.list(PACKAGES) : Stream.of()) {
      return versions
          .max(Comparator.comparing(
              version -> Integer.valueOf(version.getFileName().toString())))
          .map(version -> version.resolve("bin"))
          .orElseThrow(() -> new IllegalStateException(
              "PostgreSQL is not installed; try: apt-get install postgresql"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Newest {
    static final Path DIRECTORY = unpacked(
        "postgres-newest",
        () -> Objects.requireNonNull(
            PostgresBinaries.class.getClassLoader().getResourceAsStream(archive())));
  }

  private static final class Oldest {
    static final Path DIRECTORY = unpacked(
        "postgres-oldest",
        () -> Files.newInputStream(Path.of("target", "postgres-oldest.archive", archive())));
  }

  private interface Archive {
    InputStream open() throws IOException;
  }

  private static String archive() {
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return "postgres-linux-" + (machine.contains("aarch") ? "arm_64" : "x86_64") + ".txz";
  }

  /** Unpacks an archive beside its place and then moves it there, because another JVM may be doing the same. */
  private static Path unpacked(String name, Archive archive) {
    Path place = Path.of("target", name).toAbsolutePath();
    if (!Files.isDirectory(place)) {
      Path beside =
          Path.of("target", name + "." + ProcessHandle.current().pid()).toAbsolutePath();
      try (InputStream packed = archive.open();
          TarArchiveInputStream files =
              new TarArchiveInputStream(new XZCompressorInputStream(packed))) {
        for (TarArchiveEntry entry = files.getNextEntry();
            entry != null;
            entry = files.getNextEntry()) {
          unpack(entry, files, beside.resolve(entry.getName()).normalize());
        }
        if (!beside.toFile().renameTo(place.toFile()) && !Files.isDirectory(place)) {
          throw new IOException("Cannot move the programs of PostgreSQL to " + place);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return place.resolve("bin");
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path file)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
    } else {
      Files.copy(content, file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
