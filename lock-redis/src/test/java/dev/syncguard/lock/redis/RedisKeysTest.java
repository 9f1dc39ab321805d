package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names are those of the TypeScript library, except where a user key would be taken for one of our own. */
class RedisKeysTest {

  private static List<JsonNode> vectors(String section) throws IOException {
    JsonNode root = new ObjectMapper()
        .readTree(Path.of("..", "vectors", "syncguard-vectors.json").toFile());
    return StreamSupport.stream(root.at(section).spliterator(), false).toList();
  }

  static Stream<JsonNode> derivations() throws IOException {
    // Strings with half a surrogate pair are spelled as objects; LockKey refuses them.
    return vectors("/keyDerivation").stream()
        .filter(vector -> vector.get("backend").asText().equals("redis"))
        .filter(vector -> vector.get("key").isTextual())
        .filter(vector -> vector.get("key").asText().indexOf('\0') < 0);
  }

  @ParameterizedTest
  @MethodSource("derivations")
  void namesAreThoseOfTheTypeScriptLibrary(JsonNode vector) {
    RedisKeys keys = new RedisKeys(vector.get("prefix").asText());
    LockKey key = LockKey.of(vector.get("key").asText());
    String lock = keys.lock(key);
    if (isOneOfOurOwn(vector)) {
      assertThat(lock).isNotEqualTo(vector.get("lockKey").asText()).matches("(.*:)?[\\w-]{22}");
      return;
    }
    assertThat(lock).isEqualTo(vector.get("lockKey").asText());
    assertThat(keys.fence(lock)).isEqualTo(vector.get("fenceKey").asText());
    for (JsonNode index : vector.path("index")) {
      assertThat(keys.index(LockId.parse(index.get("lockId").asText())))
          .isEqualTo(index.get("indexKey").asText());
    }
  }

  private static boolean isOneOfOurOwn(JsonNode vector) {
    String prefix = vector.get("prefix").asText().replaceAll(":+$", "");
    String key = vector.get("key").asText();
    return key.startsWith(prefix.isEmpty() ? "fence:" : "fence:" + prefix + ":")
        || key.matches("id:[\\w-]{22}");
  }

  @Test
  void theVectorsContainKeysOfBothKinds() throws IOException {
    assertThat(derivations().filter(RedisKeysTest::isOneOfOurOwn)).isNotEmpty();
    assertThat(derivations().filter(vector -> !isOneOfOurOwn(vector))).hasSizeGreaterThan(100);
  }

  static Stream<JsonNode> configurations() throws IOException {
    return vectors("/config/redis").stream();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void prefixesAreAcceptedAsInTheTypeScriptLibrary(JsonNode vector) {
    JsonNode prefix = vector.at("/options/keyPrefix");
    String given = prefix.isMissingNode() ? RedisKeys.DEFAULT_PREFIX : prefix.asText();
    LockException refusal = catchThrowableOfType(LockException.class, () -> new RedisKeys(given));
    if (vector.get("ok").asBoolean()) {
      assertThat(refusal).isNull();
    } else {
      assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    }
  }

  @Test
  void aPrefixThatLeavesNoRoomForAnIndexIsRefusedAtOnce() {
    new RedisKeys("p".repeat(951));
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> new RedisKeys("p".repeat(952)));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "a\ud800", "\udc00"})
  void aPrefixThatIsNoTextIsRefused(String prefix) {
    assertThat(catchThrowableOfType(LockException.class, () -> new RedisKeys(prefix))
            .code())
        .isEqualTo(LockException.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{sg}", "app{sg}", "{sg}:more", "}{sg}"})
  void aHashTagKeepsEverythingInOneSlot(String prefix) {
    assertThat(new RedisKeys(prefix).shareOneSlot()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "syncguard", "{}", "{", "}{", "sg}"})
  void withoutAHashTagKeysAreSpreadOverSlots(String prefix) {
    RedisKeys keys = new RedisKeys(prefix);
    assertThat(keys.shareOneSlot()).isFalse();
    assertThat(keys.spreadOverSlots().code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
  }

  @Test
  void whoeverForgotTheHashTagIsToldWhichPrefixToUse() {
    assertThat(new RedisKeys("syncguard").spreadOverSlots())
        .hasMessageContaining("\"{syncguard}\"");
    assertThat(new RedisKeys("").spreadOverSlots()).hasMessageContaining("\"{syncguard}\"");
  }

  @Test
  void patternsMatchThePrefixLiterally() {
    assertThat(new RedisKeys("a*b?[c]").fencePattern()).isEqualTo("a\\*b\\?\\[c\\]:fence:*");
    assertThat(new RedisKeys("").indexPattern()).isEqualTo("id:" + "?".repeat(22));
  }
}
