package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.value.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was exported says what was stored, and comes back as it was. */
class ExportRoundTripTest {
  @TempDir
  private Path directory;

  private static StoredDocuments of(FirestoreServer server) {
    return new StoredDocuments(server, "p", "(default)");
  }

  private Path output() {
    return directory.resolve("firestore_export/all_namespaces/all_kinds/output-0");
  }

  @Test
  void everyKindOfValueComesBack() throws Exception {
    Map<String, Value> fields = new LinkedHashMap<>();
    EveryValue.all().forEach((name, each) -> fields.put(name, each.value()));
    Map<String, Map<String, Value>> stored;
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("values/all", fields);
      stored = documents.fields();
      assertThat(stored.get("values/all")).isEqualTo(fields);
      assertThat(server.exportTo(directory, "p")).isEqualTo(1);
    }
    assertThat(NaiveExport.read(output()).get("dev~p:/values/all"))
        .isEqualTo(EveryValue.all().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().told())));
    try (FirestoreServer server =
            FirestoreServer.builder().importFrom(directory).start();
        StoredDocuments documents = of(server)) {
      assertThat(documents.fields()).isEqualTo(stored);
    }
  }

  @Test
  void nanosecondsAndTheSignOfZeroAreLostWhenStoredAndNotByTheExport() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      Timestamp fine =
          Timestamp.newBuilder().setSeconds(-1).setNanos(999_999_999).build();
      documents.set(
          "c/d",
          Map.of("t", Value.newBuilder().setTimestampValue(fine).build(), "z", Values.of(-0.0)));
      server.exportTo(directory, "p");
    }
    assertThat(NaiveExport.read(output()).get("dev~p:/c/d"))
        .isEqualTo(Map.of("t", "micros -1", "z", "double 0.0"));
  }

  @Test
  void subcollectionsAndNumericIdsAreExportedAndMissingParentsAreNot() throws Exception {
    Map<String, Map<String, Value>> stored;
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("a/1", Map.of());
      documents.set("a/1/b/2/c/3", Map.of("x", Values.of(1L)));
      documents.set("phantom/x/real/y", Map.of());
      documents.set("n/__id7__", Map.of());
      documents.set("n/__id-9223372036854775808__", Map.of());
      documents.set("n/__id007__", Map.of());
      stored = documents.fields();
      assertThat(server.exportTo(directory, "p")).isEqualTo(6);
    }
    assertThat(NaiveExport.read(output()))
        .containsOnlyKeys(
            "dev~p:/a/1",
            "dev~p:/a/1/b/2/c/3",
            "dev~p:/phantom/x/real/y",
            "dev~p:/n/#7",
            "dev~p:/n/#-9223372036854775808",
            "dev~p:/n/__id007__");
    try (FirestoreServer server =
            FirestoreServer.builder().importFrom(directory).start();
        StoredDocuments documents = of(server)) {
      assertThat(documents.fields()).isEqualTo(stored).hasSize(6);
    }
  }

  @Test
  void everyProjectBeginsWithTheExportAndHasItAgainAfterAReset() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("c/d", Map.of("n", Values.of(1L)));
      server.exportTo(directory, "p");
    }
    try (FirestoreServer server =
            FirestoreServer.builder().importFrom(directory).start();
        StoredDocuments other = new StoredDocuments(server, "other", "(default)");
        StoredDocuments named = new StoredDocuments(server, "other", "named")) {
      assertThat(other.fields()).containsOnlyKeys("c/d");
      assertThat(named.fields()).as("the export is that of another database").isEmpty();
      other.set("c/e", Map.of());
      server.clear();
      assertThat(other.fields()).isEmpty();
      server.reset();
      assertThat(other.fields()).containsOnlyKeys("c/d");
      assertThat(present(other.documents(), "c/d").getName()).startsWith("projects/other/");
    }
  }

  @Test
  void whatADataDirectoryKeepsIsNotReplacedByAnImport() throws Exception {
    Path data = directory.resolve("data");
    Path export = directory.resolve("export");
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("c/d", Map.of("n", Values.of(1L)));
      server.exportTo(export, "p");
    }
    for (long run = 1; run <= 2; run++) {
      try (FirestoreServer server =
              FirestoreServer.builder().dataDirectory(data).importFrom(export).start();
          StoredDocuments documents = of(server)) {
        assertThat(documents.fields().get("c/d")).containsEntry("n", Values.of(run));
        documents.set("c/d", Map.of("n", Values.of(run + 1)));
      }
    }
  }

  @Test
  void anExportReplacesTheOneBeforeAndLeavesWhatElseIsThere() throws Exception {
    Files.writeString(
        directory.resolve("firebase-export-metadata.json"),
        "{\"version\": \"13.0.0\", \"auth\": {\"path\": \"auth_export\"}}");
    Files.createDirectories(directory.resolve("firestore_export"));
    Files.writeString(directory.resolve("firestore_export/mine.txt"), "keep");
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("c/one", Map.of());
      server.exportTo(directory, "p");
      documents.set("c/two", Map.of());
      server.exportTo(directory, "p");
    }
    assertThat(NaiveExport.read(output())).hasSize(2);
    assertThat(directory.resolve("firestore_export/mine.txt")).hasContent("keep");
    assertThat(Files.readString(directory.resolve("firebase-export-metadata.json")))
        .contains("\"auth_export\"", "\"13.0.0\"", "\"path\": \"firestore_export\"");
    try (var left = Files.list(directory)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("firebase-export-metadata.json", "firestore_export");
    }
  }

  @Test
  void anEmptyDatabaseIsOneFileOfFifteenBytes() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      assertThat(server.exportTo(directory, "p")).isZero();
    }
    try (var files = Files.walk(directory.resolve("firestore_export"))) {
      assertThat(files.filter(Files::isRegularFile))
          .singleElement()
          .satisfies(file -> assertThat(Files.size(file)).isEqualTo(15));
    }
    FirestoreServer.builder().importFrom(directory);
  }

  @Test
  void aDirectoryWithoutAnExportIsRefusedBeforeTheServerStarts() {
    assertThatThrownBy(() -> FirestoreServer.builder().importFrom(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("There is no export in " + directory);
  }

  @Test
  void anExportIsOneMomentAlthoughWritersGoOn() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      for (int i = 0; i < 1200; i++) { // more than two pages
        documents.set("c/" + i, Map.of("n", Values.of(0L)));
      }
      var stop = new java.util.concurrent.atomic.AtomicBoolean();
      Thread writer = new Thread(() -> {
        for (long n = 1; !stop.get(); n++) { // first, then last: at no time is the last one ahead
          documents.set("c/0", Map.of("n", Values.of(n)));
          documents.set("c/999", Map.of("n", Values.of(n)));
        }
      });
      writer.start();
      try {
        for (int i = 0; i < 5; i++) {
          server.exportTo(directory, "p");
          Map<String, Map<String, String>> exported = NaiveExport.read(output());
          long first = number(exported, "c/0");
          long last = number(exported, "c/999");
          assertThat(first - last).isBetween(0L, 1L);
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  private static <T> T present(Map<String, T> all, String key) {
    return Objects.requireNonNull(all.get(key), key);
  }

  private static long number(Map<String, Map<String, String>> exported, String path) {
    return Long.parseLong(
        present(present(exported, "dev~p:/" + path), "n").substring("int ".length()));
  }

  @Test
  void whatIsEqualKeepsItsTimesAndWhatIsNotInTheExportStays() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = of(server)) {
      documents.set("c/same", Map.of());
      documents.set("c/changed", Map.of("n", Values.of(1L)));
      server.exportTo(directory, "p");
      documents.set("c/changed", Map.of("n", Values.of(2L)));
      documents.set("c/new", Map.of());
      Map<String, Document> before = documents.documents();
      EndpointClient client = new EndpointClient(server);
      assertThat(client.post(":import", client.importOf(directory)).status()).isEqualTo(200);
      Map<String, Document> after = documents.documents();
      assertThat(after.get("c/same")).isEqualTo(before.get("c/same"));
      assertThat(after.get("c/new")).isEqualTo(before.get("c/new"));
      assertThat(present(after, "c/changed").getFieldsMap()).containsEntry("n", Values.of(1L));
      assertThat(present(after, "c/changed").getCreateTime())
          .isEqualTo(present(before, "c/changed").getCreateTime());
      assertThat(present(after, "c/changed").getUpdateTime())
          .isNotEqualTo(present(before, "c/changed").getUpdateTime());
    }
  }
}
