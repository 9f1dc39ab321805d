package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports that others wrote: production, a kind for each collection, Windows, and long ago. */
class ForeignExportTest {
  private static final String KEY = "6a 11 6a 05 \"s~foo\" 72 08 0b 12 01 \"c\" 22 01 \"a\" 0c";
  private static final String NAMED_KEY =
      "6a 15 6a 05 \"s~foo\" 72 08 0b 12 01 \"c\" 22 01 \"b\" 0c ba 01 01 \"x\"";

  @TempDir
  private Path directory;

  private void overall(String path, int entities) throws IOException {
    Path file = directory.resolve("2025-03-02.overall_export_metadata");
    try (LogWriter log = new LogWriter(Files.newOutputStream(file))) {
      log.append(new byte[] {0x33});
      log.append(WireWriter.message(
          out -> out.nested(1, kind -> kind.text(2, path).number(3, entities).number(4, 1))));
    }
  }

  private void output(String path, String... entities) throws IOException {
    Files.createDirectories(directory.resolve(path).getParent());
    try (LogWriter log = new LogWriter(Files.newOutputStream(directory.resolve(path)))) {
      for (String entity : entities) {
        log.append(Bytes.of(entity));
      }
    }
  }

  private Map<String, Map<String, com.google.firestore.v1.Value>> imported(String database) {
    try (FirestoreServer server =
            FirestoreServer.builder().importFrom(directory).start();
        StoredDocuments documents = new StoredDocuments(server, "mine", database)) {
      return documents.fields();
    }
  }

  @Test
  void productionHasManyOutputsAndALabelThatIsNoDirectory() throws IOException {
    String kinds = "all_namespaces/all_kinds/";
    overall(kinds + "all_namespaces_all_kinds.export_metadata", 2);
    output(kinds + "output-0", KEY + "7a 09 1a 01 \"n\" 20 00 2a 02 08 03");
    output(kinds + "output-1023", KEY.replace("\"a\"", "\"z\""));
    Files.write(
        directory.resolve(kinds + "all_namespaces_all_kinds.export_metadata"),
        Bytes.of(
            "0a 11 0a 0f \"export_entities\" 12 20 0a 07 \"__all__\" 12 08 \"output-0\" 12 0b \"output-1023\""));
    assertThat(imported("(default)"))
        .isEqualTo(Map.of("c/a", Map.of("n", Values.of(3L)), "c/z", Map.of()));
  }

  @Test
  void backslashesOfWindowsAreSlashes() throws IOException {
    overall("all_namespaces\\kind_c\\all_namespaces_kind_c.export_metadata", 1);
    output("all_namespaces/kind_c/output-0", KEY);
    Files.write(
        directory.resolve("all_namespaces/kind_c/all_namespaces_kind_c.export_metadata"),
        Bytes.of("12 0a 12 08 \"output-0\""));
    assertThat(imported("(default)")).containsOnlyKeys("c/a");
  }

  @Test
  void onlyDocumentsOfTheSameDatabaseAreTaken() throws IOException {
    single(KEY, NAMED_KEY);
    assertThat(imported("(default)")).containsOnlyKeys("c/a");
    assertThat(imported("x")).containsOnlyKeys("c/b");
  }

  @Test
  void onlyReferencesThatAreIndexedAtTheTopMoveToTheProject() throws IOException {
    String reference = "20 00 2a 12 63 6a 05 \"s~foo\" 73 7a 01 \"c\" 8a 01 01 \"a\" 74 64";
    single(KEY + "72 19 1a 01 \"i\" " + reference + " 7a 19 1a 01 \"u\" " + reference);
    assertThat(imported("(default)").get("c/a"))
        .isEqualTo(Map.of(
            "i", Values.reference("projects/mine/databases/(default)/documents/c/a"),
            "u", Values.reference("projects/foo/databases/(default)/documents/c/a")));
  }

  @Test
  void textsAndByteStringsOfLongAgoAreRead() throws IOException {
    single(
        KEY + "7a 0a 08 0f 1a 01 \"t\" 2a 03 1a 01 \"x\" 7a 0a 08 10 1a 01 \"b\" 2a 03 1a 01 \"x\""
            + "7a 08 1a 01 \"r\" 2a 03 1a 01 ff");
    assertThat(imported("(default)").get("c/a"))
        .isEqualTo(Map.of("t", Values.of("x"), "b", Values.bytes('x'), "r", Values.bytes(0xff)));
  }

  @Test
  void anIndexedBlobIsRefused() throws IOException {
    single(KEY + "72 0a 08 0e 1a 01 \"b\" 2a 03 1a 01 \"x\"");
    assertThatThrownBy(() -> FirestoreServer.builder().importFrom(directory))
        .hasMessageContaining("A property with meaning BLOB cannot be indexed.");
  }

  @Test
  void mapsThatAreNestedWithoutEndAreRefused() throws IOException {
    byte[] map = new byte[0];
    for (int depth = 0; depth < 5000; depth++) {
      byte[] inner = map;
      map = WireWriter.message(entity -> entity.nested(
          15,
          property -> property
              .number(1, 19)
              .text(3, "m")
              .nested(5, value -> value.bytes(3, com.google.protobuf.ByteString.copyFrom(inner)))));
    }
    byte[] nested = map;
    single(KEY);
    Path output = directory.resolve("all_namespaces/all_kinds/output-0");
    try (LogWriter log = new LogWriter(Files.newOutputStream(output))) {
      java.io.ByteArrayOutputStream entity = new java.io.ByteArrayOutputStream();
      entity.writeBytes(Bytes.of(KEY));
      entity.writeBytes(nested);
      log.append(entity.toByteArray());
    }
    assertThatThrownBy(() -> FirestoreServer.builder().importFrom(directory))
        .hasMessageContaining("nested too deep");
  }

  private void single(String... entities) throws IOException {
    String kinds = "all_namespaces/all_kinds/";
    overall(kinds + "all_namespaces_all_kinds.export_metadata", entities.length);
    output(kinds + "output-0", entities);
    Files.write(
        directory.resolve(kinds + "all_namespaces_all_kinds.export_metadata"),
        Bytes.of("12 0a 12 08 \"output-0\""));
  }
}
