package dev.syncguard.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.lock.GoldenVectors;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import org.junit.jupiter.api.Test;

class StorageKeysTest {

  private static StorageKeys namespaceOf(String backend, String prefix) {
    return switch (backend) {
      case "redis" -> new StorageKeys(prefix, 1000, 26);
      case "postgres" -> new StorageKeys("", 1700, 0);
      case "firestore" -> new StorageKeys("", 1500, 0);
      default -> throw new IllegalArgumentException(backend);
    };
  }

  @Test
  void namesAreThoseOfTheOtherLibraries() {
    for (JsonNode vector : GoldenVectors.cases("makeStorageKey")) {
      String name = vector.get("name").asText();
      String prefix = GoldenVectors.text(vector.get("prefix"));
      String key = GoldenVectors.text(vector.get("key"));
      if (GoldenVectors.isRefusedByUs(key.replace("\0", ""))) {
        assertThatThrownBy(() -> LockKey.of(key)).as(name).isInstanceOf(LockException.class);
      } else if (vector.get("ok").asBoolean()) {
        assertThat(namespace(prefix, vector).name(key))
            .as(name)
            .isEqualTo(GoldenVectors.text(vector.get("expected")));
      } else {
        assertThatThrownBy(() -> namespace(prefix, vector).name(key))
            .as(name)
            .isInstanceOfSatisfying(
                LockException.class,
                e -> assertThat(e.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT));
      }
    }
  }

  private static StorageKeys namespace(String prefix, JsonNode vector) {
    return new StorageKeys(
        prefix, vector.get("limit").asInt(), vector.get("reserve").asInt());
  }

  @Test
  void locksFencesAndIndexesAreNamedAlikeInEachStore() {
    for (JsonNode vector : GoldenVectors.cases("keyDerivation")) {
      String text = GoldenVectors.text(vector.get("key"));
      String name = vector.get("backend").asText() + "/" + vector.get("name").asText();
      String prefix =
          vector.path("prefix").isMissingNode() ? "" : GoldenVectors.text(vector.get("prefix"));
      if (GoldenVectors.isRefusedByUs(text)) {
        assertThatThrownBy(() -> LockKey.of(text)).as(name).isInstanceOf(LockException.class);
        continue;
      }
      LockKey key = LockKey.of(text);
      String backend = vector.get("backend").asText();
      if (!vector.get("ok").asBoolean()) {
        assertThatThrownBy(() -> {
              StorageKeys keys = namespaceOf(backend, prefix);
              keys.fence(keys.lock(key));
            })
            .as(name)
            .isInstanceOf(LockException.class);
        continue;
      }
      StorageKeys keys = namespaceOf(backend, prefix);
      assertThat(keys.lock(key)).as(name).isEqualTo(GoldenVectors.text(vector.get("lockKey")));
      assertThat(keys.fence(keys.lock(key)))
          .as(name)
          .isEqualTo(GoldenVectors.text(vector.get("fenceKey")));
      for (JsonNode index : vector.path("index")) {
        assertThat(keys.index(LockId.parse(index.get("lockId").asText())))
            .as(name)
            .isEqualTo(index.get("indexKey").asText());
      }
    }
  }

  @Test
  void aKeyThatAStoreCannotTakeHasAHashFormOfItsOwn() {
    StorageKeys keys = new StorageKeys("", 1500, 0);
    assertThat(keys.hashedLock(LockKey.of("a/b")))
        .hasSize(22)
        .isNotEqualTo(keys.hashedLock(LockKey.of("a/c")));
    assertThat(new StorageKeys("p:", 1000, 26).hashedLock(LockKey.of("a")))
        .startsWith("p:")
        .hasSize(24);
  }

  @Test
  void livenessIsStrictAndToleratesOneSecond() {
    for (JsonNode vector : GoldenVectors.cases("isLive")) {
      assertThat(Liveness.isLive(
              vector.get("expiresAtMs").asLong(),
              vector.get("nowMs").asLong(),
              vector.get("toleranceMs").asLong()))
          .as(vector.toString())
          .isEqualTo(vector.get("expected").asBoolean());
    }
    assertThat(Liveness.isLive(10_000, 10_999)).isTrue();
    assertThat(Liveness.isLive(10_000, 11_000)).isFalse();
    assertThat(Liveness.isCleanable(10_000, 12_000)).isFalse();
    assertThat(Liveness.isCleanable(10_000, 12_001)).isTrue();
  }
}
