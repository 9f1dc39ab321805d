package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoldenVectorsTest {

  @Test
  void hashesAreThoseOfTheOtherLibraries() {
    for (JsonNode vector : GoldenVectors.cases("hashKey")) {
      assertThat(LockHash.of(GoldenVectors.text(vector.get("input"))).hex())
          .as(vector.get("name").asText())
          .isEqualTo(vector.get("expected").asText());
    }
  }

  @Test
  void keysAreNormalisedAndMeasuredAlike() {
    for (JsonNode vector : GoldenVectors.cases("keyValidation")) {
      String input = GoldenVectors.textOrNull(vector.get("input"));
      String name = vector.get("name").asText();
      if (input != null && vector.get("ok").asBoolean() && !GoldenVectors.isRefusedByUs(input)) {
        LockKey key = LockKey.of(input);
        assertThat(key.value()).as(name).isEqualTo(GoldenVectors.text(vector.get("normalized")));
        assertThat(key.value().getBytes(StandardCharsets.UTF_8))
            .as(name)
            .hasSize(vector.get("utf8Bytes").asInt());
      } else {
        assertInvalidArgument(name, () -> LockKey.of(input));
      }
    }
  }

  @Test
  void keysThatNotEveryStoreCanKeepAreRefusedAlthoughTheReferenceTakesThem() {
    List<String> refused = GoldenVectors.cases("keyValidation").stream()
        .filter(vector -> vector.get("ok").asBoolean())
        .filter(vector -> GoldenVectors.isRefusedByUs(GoldenVectors.text(vector.get("input"))))
        .map(vector -> vector.get("name").asText())
        .toList();
    assertThat(refused)
        .containsExactlyInAnyOrder(
            "nul",
            "lone-high",
            "lone-low",
            "lone-high-mid",
            "reversed-pair",
            "high-high-low",
            "lone-surrogates-170");
  }

  @Test
  void lockIdsAreCheckedAlike() {
    for (JsonNode vector : GoldenVectors.cases("lockIdValidation")) {
      String input = GoldenVectors.textOrNull(vector.get("input"));
      String name = vector.get("name").asText();
      assertThat(LockId.isValid(input)).as(name).isEqualTo(vector.get("ok").asBoolean());
      if (vector.get("ok").asBoolean()) {
        assertThat(LockId.parse(input).value()).isEqualTo(input);
      } else {
        assertInvalidArgument(name, () -> LockId.parse(input));
      }
    }
  }

  @Test
  void lockIdsAreSpelledAlike() {
    for (JsonNode vector : GoldenVectors.cases("lockIdEncoding/cases")) {
      byte[] bytes = HexFormat.of().parseHex(vector.get("hex").asText());
      assertThat(LockId.of(bytes).value()).isEqualTo(vector.get("expected").asText());
    }
  }

  @Test
  void fencesAreSpelledAlike() {
    for (JsonNode vector : GoldenVectors.cases("formatFence")) {
      String input = vector.get("input").asText();
      if (input.contains(".")) {
        continue; // A Java counter has no fractions.
      }
      if (vector.get("ok").asBoolean()) {
        assertThat(Fence.format(Long.parseLong(input)))
            .isEqualTo(vector.get("expected").asText());
      } else {
        assertInvalidArgument(input, () -> Fence.format(Long.parseLong(input)));
      }
    }
  }

  @Test
  void fencesOverflowAndWarnByNumberAndNotByText() {
    for (JsonNode vector : GoldenVectors.cases("fenceThresholds")) {
      String text = vector.get("fence").asText();
      JsonNode byNumber = vector.get("firestoreNumericCompare");
      if (byNumber.get("overflow").asBoolean()) {
        assertThatThrownBy(() -> Fence.parse(text))
            .isInstanceOfSatisfying(
                LockException.class,
                e -> assertThat(e.code()).isEqualTo(LockException.Code.INTERNAL));
      } else {
        assertThat(Fence.parse(text).isNearlyUsedUp())
            .as(text)
            .isEqualTo(byNumber.get("warn").asBoolean());
      }
    }
  }

  @Test
  void newerUnicodeComposesOnPlatformsThatKnowIt() {
    // JDK 17 carries Unicode 13; these compose only from 16 on. Either answer is that platform's
    // normal form.
    for (JsonNode vector : GoldenVectors.cases("nfcUnicodeVersionDependent")) {
      String normal = LockKey.of(GoldenVectors.text(vector.get("input"))).value();
      assertThat(normal)
          .isIn(GoldenVectors.text(vector.get("input")), GoldenVectors.text(vector.get("nfc")));
    }
  }

  private static void assertInvalidArgument(
      String name, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(name)
        .isInstanceOfSatisfying(
            LockException.class,
            e -> assertThat(e.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT));
  }
}
