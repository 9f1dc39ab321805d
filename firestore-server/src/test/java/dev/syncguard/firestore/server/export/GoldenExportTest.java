package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.Values;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the format, written by hand from its description. */
class GoldenExportTest {
  private static final String KIND =
      "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata";
  private static final String DOCUMENTS = "projects/p/databases/(default)/documents/";

  @TempDir
  private Path directory;

  private static Document document(Map<String, Value> fields) {
    return Document.newBuilder().setName(DOCUMENTS + "c/a").putAllFields(fields).build();
  }

  private static byte[] log(byte[]... records) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter log = new LogWriter(out)) {
      for (byte[] record : records) {
        log.append(record);
      }
    }
    return out.toByteArray();
  }

  @Test
  void aDocumentHasTheseBytes() throws Exception {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("e", Values.array());
    fields.put("n", Values.of(3L));
    fields.put("t", Values.time(1_000_000));
    assertThat(log(EntityEncoder.encode(document(fields)))).containsExactly(Bytes.of("""
                3b 77 9c 15 43 00 01
                6a 11 6a 05 "dev~p" 72 08 0b 12 01 "c" 22 01 "a" 0c
                72 09 08 18 1a 01 "e" 20 00 2a 00
                7a 09 1a 01 "n" 20 00 2a 02 08 03
                7a 0d 08 07 1a 01 "t" 20 00 2a 04 08 c0 84 3d
                82 01 08 0b 12 01 "c" 22 01 "a" 0c
                """));
  }

  @Test
  void theOverallFileHasTheseBytes() throws Exception {
    OverallMetadata metadata = new OverallMetadata(List.of(new OverallMetadata.Kind(KIND, 1, 74)));
    assertThat(log(new byte[] {0x33}, metadata.encode()))
        .containsExactly(
            Bytes.of("b8 6d 44 4e 01 00 01 33 d4 ce 92 0b 4f 00 01 0a 4d 0a 04 08 02 18 03 12 41 \""
                + KIND + "\" 18 01 20 4a"));
    assertThat(log(new byte[] {0x33}, new OverallMetadata(List.of()).encode()))
        .containsExactly(Bytes.of("b8 6d 44 4e 01 00 01 33 05 2b 28 43 00 00 01"));
  }

  @Test
  void theFileOfAKindHasTheseBytes() {
    KindMetadata metadata =
        new KindMetadata("firestore_export", 1_000_000, 2_000_000, List.of("output-0"));
    assertThat(metadata.encode())
        .containsExactly(
            Bytes.of(
                "0a 1a 0a 10 \"firestore_export\" 10 c0 84 3d 18 80 89 7a 12 0c 0a 00 12 08 \"output-0\""));
  }

  @Test
  void valuesHaveTheseBytes() {
    assertProperty(Values.of(1.5), "1a 01 \"x\" 20 00 2a 09 21 00 00 00 00 00 00 f8 3f");
    assertProperty(Values.of(Double.NaN), "1a 01 \"x\" 20 00 2a 09 21 00 00 00 00 00 00 f8 7f");
    assertProperty(
        Values.point(1, -2),
        "08 09 1a 01 \"x\" 20 00 2a 14 2b 31 00 00 00 00 00 00 f0 3f 39 00 00 00 00 00 00 00 c0 2c");
    assertProperty(
        Values.reference(DOCUMENTS + "c/a"),
        "1a 01 \"x\" 20 00 2a 12 63 6a 05 \"dev~p\" 73 7a 01 \"c\" 8a 01 01 \"a\" 74 64");
    assertProperty(
        Values.reference("projects/q/databases/d/documents/c/__id7__"),
        "1a 01 \"x\" 20 00 2a 15 63 6a 05 \"dev~q\" 73 7a 01 \"c\" 80 01 07 74 ba 01 01 \"d\" 64");
    assertProperty(Values.nothing(), "1a 01 \"x\" 20 00 2a 00");
    assertProperty(Values.bytes(1, 2), "08 0e 1a 01 \"x\" 20 00 2a 04 1a 02 01 02");
    assertProperty(
        Values.map(Map.of()), "08 13 1a 01 \"x\" 20 00 2a 0b 1a 09 6a 04 6a 00 72 00 82 01 00");
    assertProperty(Values.array(Values.of(1L)), "1a 01 \"x\" 20 01 2a 02 08 01");
    // As the official emulator of Google Cloud's SDK 528 wrote it.
    assertProperty(Values.vector(1), "08 1f 1a 01 \"x\" 20 01 2a 09 21 00 00 00 00 00 00 f0 3f");
    assertProperty(
        Values.time(-1), "08 07 1a 01 \"x\" 20 00 2a 0b 08 ff ff ff ff ff ff ff ff ff 01");
  }

  private static void assertProperty(Value value, String property) {
    byte[] content = Bytes.of(property);
    byte[] expected = Bytes.of("6a 11 6a 05 \"dev~p\" 72 08 0b 12 01 \"c\" 22 01 \"a\" 0c 7a "
        + HexFormat.of().toHexDigits((byte) content.length) + property
        + "82 01 08 0b 12 01 \"c\" 22 01 \"a\" 0c");
    assertThat(EntityEncoder.encode(document(Map.of("x", value)))).containsExactly(expected);
  }

  @Test
  void aDocumentLongerThanTwoBlocksIsThreeFragments() throws Exception {
    byte[] log = log(EntityEncoder.encode(document(Map.of("s", Values.of("x".repeat(70_000))))));
    assertThat(new int[] {log[6], log[32_768 + 6], log[65_536 + 6]}).containsExactly(2, 3, 4);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 7, 32_747, 32_748, 32_753, 32_754, 32_755, 32_760, 32_761, 32_762, 65_522, 65_523,
        200_000
      })
  void recordsOfAllLengthsAroundTheEndOfABlockAreReadBack(int length) throws Exception {
    byte[] first = new byte[length];
    Arrays.fill(first, (byte) 'a');
    byte[] second = {1, 2, 3};
    byte[] log = log(first, second, new byte[0], first);
    assertThat(NaiveExport.records(log)).containsExactly(first, second, new byte[0], first);
    Path file = Files.write(directory.resolve("log"), log);
    try (LogReader reader = new LogReader(file)) {
      assertThat(reader.next()).hasValue(first);
      assertThat(reader.next()).hasValue(second);
      assertThat(reader.next()).hasValue(new byte[0]);
      assertThat(reader.next()).hasValue(first);
      assertThat(reader.next()).isEmpty();
    }
  }
}
