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
  MAVEN,
  /** The newest that the system's packages offer. */
  SYSTEM;

  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

  /** Returns the directory of the programs. */
  Path directory() {
    return this == SYSTEM ? installed() : Unpacked.DIRECTORY;
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

  private static final class Unpacked {
    static final Path DIRECTORY = unpack();

    private static Path unpack() {
      String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
      String archive = machine.contains("aarch") ? "arm_64" : "x86_64";
      Path target = Path.of("target", "postgres").toAbsolutePath();
      if (Files.isExecutable(target.resolve("bin/postgres"))) {
        return target.resolve("bin");
      }
      try (InputStream packed = Objects.requireNonNull(PostgresBinaries.class
              .getClassLoader()
              .getResourceAsStream("postgres-linux-" + archive + ".txz"));
          TarArchiveInputStream files =
              new TarArchiveInputStream(new XZCompressorInputStream(packed))) {
        for (TarArchiveEntry entry = files.getNextEntry();
            entry != null;
            entry = files.getNextEntry()) {
          unpack(entry, files, target.resolve(entry.getName()).normalize());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return target.resolve("bin");
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
}
