package dev.syncguard.userscript.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ScriptHeaderTest {

  private static final String ENDPOINT = "https://firestore.example:8443/v1";

  @Test
  void managersLearnWhereUpdatesAndHelpAre() {
    String metadata = header(Map.of(
            "endpoint", ENDPOINT,
            "downloadUrl", "https://example.org/power-reader.user.js",
            "supportUrl", "https://example.org/help",
            "icon", "https://example.org/icon.png"))
        .metadata();

    assertThat(metadata)
        .containsPattern("// @downloadURL +https://example.org/power-reader.user.js\n")
        .containsPattern("// @updateURL +https://example.org/power-reader.meta.js\n")
        .containsPattern("// @supportURL +https://example.org/help\n")
        .containsPattern("// @icon +https://example.org/icon.png\n")
        .containsPattern("// @connect +firestore.example\n");
  }

  @Test
  void whatWasNotSetIsLeftOut() {
    assertThat(header(Map.of("endpoint", ENDPOINT)).metadata())
        .doesNotContain("@downloadURL", "@updateURL", "@supportURL", "@icon");
  }

  @Test
  void anAddressCannotBringLinesOfItsOwn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header(Map.of("endpoint", ENDPOINT, "supportUrl", "x\n// @grant all"))
            .metadata());
  }

  @Test
  void theFileForUpdatesIsTheBeginningOfTheScript() {
    ScriptHeader header = header(Map.of("endpoint", ENDPOINT));

    assertThat(header.text()).startsWith(header.metadata());
    assertThat(header.metadata()).endsWith("// ==/UserScript==\n");
  }

  private static ScriptHeader header(Map<String, String> settings) {
    return new ScriptHeader("1.2.3-SNAPSHOT", settings, "body { }");
  }
}
