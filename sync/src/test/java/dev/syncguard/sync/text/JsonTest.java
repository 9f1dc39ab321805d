package dev.syncguard.sync.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class JsonTest {

  @Test
  void whatIsReadIsWrittenAsItWas() {
    String text =
        "{\"a\":[1,-2.50,3e7,true,false,null],\"b\\\"\":{\"ü\":\"x\\u0001\"},\"c\":{},\"d\":[]}";
    assertThat(Json.write(Json.parse(text))).isEqualTo(text);
  }

  @Test
  void escapesMeanWhatTheySay() {
    assertThat(Json.parse("\"\\u00fc\\n\\t\\/\\\\\\uD83D\\uDE00\"")).isEqualTo("ü\n\t/\\😀");
    assertThat(Json.write("😀\ud800\n\"")).isEqualTo("\"😀\\ud800\\u000a\\\"\"");
    assertThat(Json.parse(" [ 1 , { \"a\" : 2 } ] "))
        .isEqualTo(List.of(new Json.Num("1"), Map.of("a", new Json.Num("2"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,",
        "[1,]",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "01",
        "1.",
        "-",
        "+1",
        "1e",
        "tru",
        "nul",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\n\"",
        "[1] 2",
        "{\"a\":1,\"a\":2}",
        "'a'",
        "NaN"
      })
  void whatIsNotJsonIsNull(String text) {
    assertThat(Json.parse(text)).isNull();
  }

  @Test
  void depthIsBounded() {
    assertThat(Json.parse("[".repeat(50) + "]".repeat(50))).isNotNull();
    assertThat(Json.parse("[".repeat(5000) + "]".repeat(5000))).isNull();
  }

  @Test
  void wholeNumbersAreJustThat() {
    assertThat(Json.whole("0")).isEqualTo(0);
    assertThat(Json.whole("253402300799999")).isEqualTo(253_402_300_799_999L);
    for (String wrong : new String[] {"", "-1", "01", "1.0", "1e3", " 1", "1234567890123456789"}) {
      assertThat(Json.whole(wrong)).as(wrong).isNull();
    }
  }
}
