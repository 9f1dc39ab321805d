package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/userscript.md} complete: whoever sees a label can look up what to do. */
class DocumentedLabelsTest {

  private static final Path LABELS =
      Path.of("src/main/java/dev/syncguard/sync/engine/StatusBoard.java");
  private static final Path PAGE = Path.of("..", "docs", "userscript.md");

  /** A label, or the beginning of one that goes on with a time. */
  private static final Pattern LABEL = Pattern.compile("\"(Sync[^\"]+)\"");

  @Test
  void everyLabelIsExplained() throws IOException {
    List<String> labels = LABEL
        .matcher(Files.readString(LABELS))
        .results()
        .map(found -> "`" + found.group(1))
        .toList();
    assertThat(labels).hasSizeGreaterThanOrEqualTo(SyncStatus.Kind.values().length);
    assertThat(Files.readString(PAGE)).contains(labels);
  }
}
