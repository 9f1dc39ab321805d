package dev.syncguard.firestore.server.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.value.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 100,000 documents are exported, imported and counted by servers whose heap has no room for a second copy of them. */
class SmallHeapExportIT {
  private static final int DOCUMENTS = 100_000;
  private static final int COMMIT = 500;
  private static final int HEAP_MIB = 310;

  @TempDir
  private Path directory;

  @Test
  void aHundredThousandDocumentsAreExportedAndImported() throws Exception {
    assertThat(run(Exporting.class)).isEqualTo("exported " + DOCUMENTS);
    Path output = directory.resolve("firestore_export/all_namespaces/all_kinds/output-0");
    assertThat(Files.size(output)).as("what does not fit a second time").isGreaterThan(100L << 20);
    assertThat(run(Importing.class)).isEqualTo("imported " + DOCUMENTS);
  }

  private String run(Class<?> program) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-Xmn24m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return output.strip();
  }

  /** Every tenth document lies below another one. */
  private static String path(int number) {
    return number % 10 == 0 ? "c/d" + (number + 1) + "/sub/s" + number : "c/d" + number;
  }

  /** Fills a server, exports, and says how many documents there were. */
  public static final class Exporting {
    private Exporting() {}

    public static void main(String[] arguments) {
      try (FirestoreServer server = FirestoreServer.builder().start();
          StoredDocuments documents = new StoredDocuments(server, "p", "(default)")) {
        for (int start = 0; start < DOCUMENTS; start += COMMIT) {
          Map<String, Map<String, Value>> some = new LinkedHashMap<>();
          for (int i = start; i < start + COMMIT; i++) {
            some.put(
                path(i), Map.of("n", Values.of((long) i), "text", Values.of(i + "x".repeat(1000))));
          }
          documents.setAll(some);
        }
        System.out.println("exported " + server.exportTo(Path.of(arguments[0]), "p"));
      }
    }
  }

  /** Imports, and says how many documents are there. */
  public static final class Importing {
    private Importing() {}

    public static void main(String[] arguments) {
      try (FirestoreServer server =
              FirestoreServer.builder().importFrom(Path.of(arguments[0])).start();
          StoredDocuments documents = new StoredDocuments(server, "p", "(default)")) {
        System.out.println("imported " + documents.count());
      }
    }
  }
}
