package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UserscriptTest {

  private final String text = Userscript.shipped().text();

  @Test
  void theFirstLinesTellTheManagerWhereItRunsAndWhatItNeeds() {
    assertThat(text).startsWith("// ==UserScript==\n");
    String metadata = text.substring(0, text.indexOf("// ==/UserScript=="));
    assertThat(metadata)
        .containsPattern("@version\\s+[0-9.]+\n")
        .containsPattern("@match\\s+https://www.lesswrong.com/\\*")
        .containsPattern("@match\\s+https://forum.effectivealtruism.org/\\*")
        .containsPattern("@run-at\\s+document-start")
        .containsPattern("@connect\\s+firestore.googleapis.com");
    Pattern.compile("\\bGM_\\w+")
        .matcher(text.substring(metadata.length()))
        .results()
        .forEach(used -> assertThat(metadata).containsPattern("@grant\\s+" + used.group() + "\n"));
  }

  @Test
  void itIsSmallAndMakesNoCodeFromText() {
    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(270_000);
    assertThat(text).doesNotContainPattern("\\beval\\s*\\(").doesNotContain("new Function");
  }

  @Test
  void withoutAProjectItTalksToNobody() {
    assertThat(text).contains("const POWER_READER_PROJECT = \"\";");
  }

  @Test
  void aCopyTalksToAnotherServerAndMayConnectToItOnly() {
    String copy = Userscript.shipped()
        .talkingTo("my-project", "my-key", "http://127.0.0.1:8080/v1")
        .on("eaf")
        .text();

    assertThat(copy)
        .contains("const POWER_READER_PROJECT = \"my-project\";")
        .contains("const POWER_READER_API_KEY = \"my-key\";")
        .contains("const POWER_READER_ENDPOINT = \"http://127.0.0.1:8080/v1\";")
        .contains("const POWER_READER_SITE = \"eaf\";")
        .containsPattern("@connect\\s+127.0.0.1\n")
        .doesNotContainPattern("@connect\\s+firestore");
  }

  @Test
  void aSettingCannotSmuggleInCode() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Userscript.shipped().talkingTo("x\"; alert(1); \"", "", "http://127.0.0.1/v1"));
  }

  @Test
  void theSourceMapLeavesOutTheLinesBeforeTheCode() {
    long before =
        text.substring(0, text.indexOf("const POWER_READER_CSS")).lines().count() + 1;

    assertThat(Userscript.sourceMap()).contains("\"mappings\":\"" + ";".repeat((int) before));
    assertThat(text).endsWith("//# sourceMappingURL=power-reader.user.js.map\n");
  }
}
