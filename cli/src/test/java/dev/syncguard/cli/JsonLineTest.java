package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLineTest {

  @Test
  void keepsTheOrderOfItsMembers() {
    assertThat(new JsonLine().add("ok", true).add("fence", "000000000000001").add("remainingMs", 5))
        .hasToString("{\"ok\":true,\"fence\":\"000000000000001\",\"remainingMs\":5}");
  }

  @Test
  void holdsLists() {
    JsonLine line =
        new JsonLine().add("locks", List.of(new JsonLine().add("a", 1), new JsonLine()));
    assertThat(line).hasToString("{\"locks\":[{\"a\":1},{}]}");
    assertThat(new JsonLine().add("locks", List.of())).hasToString("{\"locks\":[]}");
  }

  @Test
  void staysOneLineOfAsciiWhateverItSays() {
    assertThat(JsonLine.quote("a\"b\\c\nd\u0000ü\uD83D\uDD12\u007f"))
        .isEqualTo("\"a\\\"b\\\\c\\u000ad\\u0000\\u00fc\\ud83d\\udd12\\u007f\"");
  }
}
