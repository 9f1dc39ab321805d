package dev.syncguard.firestore.server.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  @Test
  void dotsSeparateAndBackticksProtect() {
    assertThat(FieldPath.parse("a.b_1.C").segments()).containsExactly("a", "b_1", "C");
    assertThat(FieldPath.parse("`a.b`.c").segments()).containsExactly("a.b", "c");
    assertThat(FieldPath.parse("`\\``.`\\\\`.`1`").segments()).containsExactly("`", "\\", "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "a.", ".a", "a..b", "1a", "a-b", "`a", "a`", "``", "`a`b", "`\\n`", "a b"
      })
  void whatIsNoPathIsRefused(String text) {
    assertThatThrownBy(() -> FieldPath.parse(text)).isInstanceOf(FirestoreServerException.class);
  }

  @Test
  void theWrittenFormReadsBack() {
    for (String name : List.of("a", "a.b", "`", "\\", "1", "é", " ", "a`\\.b")) {
      FieldPath path = FieldPath.of("x").child(name);
      assertThat(FieldPath.parse(path.canonical())).isEqualTo(path);
    }
  }
}
