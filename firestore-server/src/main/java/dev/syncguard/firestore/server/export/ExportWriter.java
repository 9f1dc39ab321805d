package dev.syncguard.firestore.server.export;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.value.Times;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes an export: everything under another name first, then file by file to where it belongs, and the overall file last.
 * Without that nobody takes the directory for an export, so one that was interrupted is never read. Not thread-safe.
 */
final class ExportWriter {
  static final String OVERALL = ".overall_export_metadata";
  private static final String KIND =
      "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata";
  private static final String OUTPUT = "output-0";

  private final Path directory;
  private final String name;
  private final InstantSource time;

  /** @param directory must exist; the export becomes the directory {@code name} in it */
  ExportWriter(Path directory, String name, InstantSource time) {
    this.directory = directory;
    this.name = name;
    this.time = time;
  }

  /** Writes the documents and returns how many there were. */
  long write(ExportSource source) throws IOException {
    Path draft = Files.createTempDirectory(directory, "." + name + "-");
    try {
      long count = write(source, draft);
      publish(draft);
      return count;
    } finally {
      delete(draft);
    }
  }

  private long write(ExportSource source, Path draft) throws IOException {
    long start = Times.micros(time.instant());
    List<Document> page = source.next();
    if (page.isEmpty()) {
      writeOverall(draft, new OverallMetadata(List.of()));
      return 0;
    }
    Path kind = draft.resolve(KIND);
    Path kinds = kind.resolveSibling(OUTPUT);
    Files.createDirectories(draft.resolve("all_namespaces/all_kinds"));
    long count = 0;
    long bytes;
    try (LogWriter log = new LogWriter(new BufferedOutputStream(Files.newOutputStream(kinds)))) {
      for (; !page.isEmpty(); page = source.next()) {
        for (Document document : page) {
          log.append(encode(document));
        }
        count += page.size();
      }
      bytes = log.size();
    }
    long end = Times.micros(time.instant());
    Files.write(kind, new KindMetadata(name, start, end, List.of(OUTPUT)).encode());
    writeOverall(draft, new OverallMetadata(List.of(new OverallMetadata.Kind(KIND, count, bytes))));
    return count;
  }

  private static byte[] encode(Document document) throws IOException {
    byte[] entity = EntityEncoder.encode(document);
    if (entity.length > LogFormat.MAX_RECORD) {
      throw new IOException("A document is longer in this format than " + LogFormat.MAX_RECORD
          + " bytes: the name of an array is repeated for each of its elements.");
    }
    return entity;
  }

  private void writeOverall(Path draft, OverallMetadata metadata) throws IOException {
    try (LogWriter log = new LogWriter(
        new BufferedOutputStream(Files.newOutputStream(draft.resolve(name + OVERALL))))) {
      log.append(String.valueOf((char) OverallMetadata.VERSION).getBytes(US_ASCII));
      log.append(metadata.encode());
    }
  }

  private void publish(Path draft) throws IOException {
    Path target = directory.resolve(name);
    Files.createDirectories(target);
    Files.deleteIfExists(target.resolve(name + OVERALL));
    for (String file : List.of("all_namespaces/all_kinds/" + OUTPUT, KIND, name + OVERALL)) {
      if (Files.exists(draft.resolve(file))) {
        Files.createDirectories(target.resolve(file).toAbsolutePath().getParent());
        Files.move(draft.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void delete(Path draft) throws IOException {
    try (Stream<Path> files = Files.walk(draft)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
