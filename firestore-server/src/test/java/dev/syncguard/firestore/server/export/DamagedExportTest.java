package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An export is imported as it was written, or it is refused and nothing has changed. */
@Tag("slow")
@Timeout(240)
class DamagedExportTest {
  @TempDir
  private Path directory;

  private static Map<String, Value> fields() {
    return Map.of("n", Values.of(1L), "text", Values.of("some text"), "empty", Values.array());
  }

  @BeforeEach
  void export() {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = new StoredDocuments(server, "p", "(default)")) {
      documents.set("c/a", fields());
      documents.set("c/b", fields());
      documents.set("c/b/sub/c", fields());
      server.exportTo(directory, "p");
    }
  }

  private Path overall() {
    return directory.resolve("firestore_export/firestore_export.overall_export_metadata");
  }

  /** Returns what would be imported, as text, or nothing if the export is refused with words. */
  private String imported(String what) {
    try {
      List<PlannedWrite> writes = Exports.plan(new DatabaseName("p", "(default)"), overall());
      StringBuilder text = new StringBuilder();
      for (PlannedWrite write : writes) {
        text.append(write.name()).append(write.apply(null, 1).after()).append('\n');
      }
      return text.toString();
    } catch (FirestoreServerException e) {
      assertThat(e.getMessage()).as(what).isNotBlank().contains(directory.toString());
      return "";
    } catch (RuntimeException e) {
      return fail(what + " was not told in words", e);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("firestore_export"))) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      assertThat(found).hasSize(3);
      return found;
    }
  }

  @Test
  void everyLengthToWhichAFileIsCutIsRefused() throws IOException {
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      for (int length = 0; length < whole.length; length++) {
        Files.write(file, Arrays.copyOf(whole, length));
        String what = file.getFileName() + " cut to " + length;
        assertThat(imported(what)).as(what).isEmpty();
      }
      Files.write(file, whole);
    }
    assertThat(imported("whole")).isNotEmpty();
  }

  @Test
  void everyBitThatIsFlippedIsRefusedOrHasNoEffect() throws IOException {
    String original = imported("whole");
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      int refused = 0;
      for (int i = 0; i < 8 * whole.length; i++) {
        byte[] damaged = whole.clone();
        damaged[i / 8] ^= (byte) (1 << i % 8);
        Files.write(file, damaged);
        String what = "bit " + i + " of " + file.getFileName() + " flipped";
        String found = imported(what);
        assertThat(found).as(what).isIn("", original);
        refused += found.isEmpty() ? 1 : 0;
      }
      boolean checked = !file.toString().endsWith("all_kinds.export_metadata");
      assertThat(refused).as("%s", file).isGreaterThan(checked ? 8 * whole.length - 1 : 0);
      Files.write(file, whole);
    }
  }

  @Test
  void nonsenseUnderAChecksumThatFitsIsRefusedWithWordsOrRead() throws IOException {
    writeEveryValue();
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      boolean isLog = !file.toString().endsWith("all_kinds.export_metadata");
      List<byte[]> records = isLog ? NaiveExport.records(whole) : List.of(whole);
      for (int seed = 0; seed < 3000; seed++) {
        Random random = new Random(seed);
        List<byte[]> changed = new ArrayList<>(records);
        int which = random.nextInt(records.size());
        changed.set(which, damaged(records.get(which), random));
        write(file, isLog, changed);
        imported("seed " + seed + " in " + file.getFileName());
      }
      Files.write(file, whole);
    }
  }

  private void writeEveryValue() {
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = new StoredDocuments(server, "p", "(default)")) {
      EveryValue.all()
          .forEach((name, each) -> documents.set("c/" + name, Map.of("v", each.value())));
      server.exportTo(directory, "p");
    }
  }

  private static byte[] damaged(byte[] record, Random random) {
    byte[] damaged = record.clone();
    for (int i = 0; i <= random.nextInt(3); i++) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) > 0
        ? damaged
        : Arrays.copyOf(damaged, random.nextInt(damaged.length + 10));
  }

  private static void write(Path file, boolean isLog, List<byte[]> records) throws IOException {
    if (!isLog) {
      Files.write(file, records.get(0));
      return;
    }
    try (LogWriter log = new LogWriter(Files.newOutputStream(file))) {
      for (byte[] record : records) {
        log.append(record);
      }
    }
  }

  @Test
  void whatIsNoFileIsNotRead() throws Exception {
    Path kind = directory.resolve(
        "firestore_export/all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata");
    for (Path file : List.of(kind, kind.resolveSibling("output-0"))) {
      byte[] whole = Files.readAllBytes(file);
      Files.delete(file);
      Files.createSymbolicLink(file, Path.of("/dev/zero"));
      assertThat(imported("without end")).isEmpty();
      Files.delete(file);
      assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
          .isZero();
      assertThat(imported("a pipe")).isEmpty();
      Files.delete(file);
      Files.createDirectory(file);
      assertThat(imported("a directory")).isEmpty();
      Files.delete(file);
      Files.createSymbolicLink(file, file);
      assertThat(imported("a link to itself")).isEmpty();
      Files.delete(file);
      Files.write(file, whole);
    }
    assertThat(imported("whole")).isNotEmpty();
  }

  @Test
  void zerosInTheMiddleAreNotTakenForPadding() throws IOException {
    Path output = directory.resolve("firestore_export/all_namespaces/all_kinds/output-0");
    byte[] whole = Files.readAllBytes(output);
    for (int start = 0; start < whole.length - 7; start++) {
      byte[] damaged = whole.clone();
      Arrays.fill(damaged, start, whole.length, (byte) 0);
      Files.write(output, damaged);
      assertThat(imported("zeros from " + start)).isEmpty();
    }
  }

  @Test
  void aFileThatIsPaddedToAWholeBlockIsRead() throws IOException {
    String original = imported("whole");
    for (Path file : files()) {
      if (!file.toString().endsWith("all_kinds.export_metadata")) {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 32_768));
      }
    }
    assertThat(imported("padded")).isEqualTo(original);
  }

  @Test
  void aRefusedImportChangesNothing() throws Exception {
    Path output = directory.resolve("firestore_export/all_namespaces/all_kinds/output-0");
    byte[] whole = Files.readAllBytes(output);
    whole[whole.length - 1] ^= 1;
    Files.write(output, whole);
    try (FirestoreServer server = FirestoreServer.builder().start();
        StoredDocuments documents = new StoredDocuments(server, "p", "(default)")) {
      documents.set("c/a", Map.of());
      var before = documents.documents();
      EndpointClient client = new EndpointClient(server);
      EndpointClient.Answer answer = client.post(":import", client.importOf(directory));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("Checksum doesn't validate.", "output-0");
      assertThat(documents.documents()).isEqualTo(before);
    }
  }
}
