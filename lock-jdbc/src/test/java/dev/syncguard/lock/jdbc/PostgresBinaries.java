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
  V13,
  V14,
  V15,
  V16,
  V17,
  V18,
  /** The newest that the system's packages offer. */
  SYSTEM;

  private static final PostgresBinaries ON_CLASS_PATH = V18;
  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

  /** Returns the one that somebody asked for with {@code -Dsyncguard.postgres=14}, otherwise the system's. */
  static PostgresBinaries chosen() {
    String version = System.getProperty("syncguard.postgres");
    return version == null ? SYSTEM : valueOf("V" + version);
  }

  /** Returns the directory of the programs. */
  synchronized Path directory() {
    return this == SYSTEM ? installed() : unpacked();
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

  /** Opens an archive from a Maven artifact: the one on the class path, or one that the build has put aside. */
  private InputStream open() throws IOException {
    return this == ON_CLASS_PATH
        ? Objects.requireNonNull(
            PostgresBinaries.class.getClassLoader().getResourceAsStream(archive()))
        : Files.newInputStream(Path.of("target", "postgres-archives", name(), archive()));
  }

  private static String archive() {
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return "postgres-linux-" + (machine.contains("aarch") ? "arm_64" : "x86_64") + ".txz";
  }

  /** Unpacks an archive beside its place and then moves it there, because another JVM may be doing the same. */
  private Path unpacked() {
    String name = "postgres-" + name();
    Path place = Path.of("target", name).toAbsolutePath();
    if (!Files.isDirectory(place)) {
      Path beside =
          Path.of("target", name + "." + ProcessHandle.current().pid()).toAbsolutePath();
      try (InputStream packed = open();
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
