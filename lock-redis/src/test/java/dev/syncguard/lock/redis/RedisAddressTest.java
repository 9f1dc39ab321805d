package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URL may look like, and that a wrong one is not repeated. */
class RedisAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://localhost",
        "redis://localhost:6380",
        "redis://localhost:6380/3",
        "redis://[::1]:6380/",
        "rediss://user:p%40ss@example.com",
        "redis://:pass@example.com/0",
        "redis+sentinel://a,b:26380/mymaster",
        "rediss+sentinel://a:1,b:2,c:3/mymaster/2",
        "redis+cluster://a:1,b:2",
        "rediss+cluster://a",
      })
  void aUrlIsUnderstood(String url) {
    assertThat(RedisAddress.parse(url, Map.of())).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "http://localhost",
        "redis:localhost",
        "redis://",
        "redis://secret:secret@",
        "redis://secret:secret@a,b",
        "redis://a/b",
        "redis://a/-1",
        "redis://a/0/1",
        "redis://a:99999",
        "redis://a:b",
        "redis+sentinel://secret",
        "redis+sentinel://secret/m/0/1",
        "redis+cluster://secret/0",
        "redis+other://secret",
        "redis://secret?timeout=1",
      })
  void anotherUrlIsRefusedWithoutBeingRepeated(String url) {
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> RedisAddress.parse(url, Map.of()));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageNotContaining("secret").hasMessageContaining("redis://host:6379");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://u:pa%zz@host",
        "redis://%q:x@host",
        "redis://u:secret%@host",
        "redis://u:%e@h"
      })
  void aPasswordThatIsNotEncodedIsExplainedWithoutRepeatingIt(String url) {
    LockException refusal =
        catchThrowableOfType(LockException.class, () -> RedisAddress.parse(url, Map.of()));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("%25").hasNoCause();
    assertThat(refusal.getMessage()).doesNotContain("zz").doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://localhost | STANDALONE, 1 hosts, database 0",
        "redis://localhost:65535/3 | STANDALONE, 1 hosts, database 3",
        "redis://localhost:0/65535 | STANDALONE, 1 hosts, database 65535",
        "redis://user@localhost | STANDALONE, 1 hosts, database 0",
        "redis://:x@localhost | STANDALONE, 1 hosts, database 0, with a password",
        "rediss://user:x@localhost/1 | STANDALONE, 1 hosts, database 1, with a password, encrypted",
        "redis+sentinel://a,a:26379/mymaster | SENTINEL, 1 hosts, database 0",
        "redis+sentinel://a,b:1/mymaster/2 | SENTINEL, 2 hosts, database 2",
        "redis+cluster://a,a:6379,b | CLUSTER, 2 hosts, database 0",
      })
  void aUrlSaysWhere(String url, String where) {
    assertThat(RedisAddress.parse(url, Map.of()))
        .hasToString("RedisAddress[RedisSettings[" + where + "]]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://localhost", "redis://user@localhost"})
  void aPasswordOfTheEnvironmentIsUsedUnlessItIsEmpty(String url) {
    assertThat(RedisAddress.parse(url, Map.of(RedisAddress.PASSWORD, "x")).toString())
        .contains("with a password");
    assertThat(RedisAddress.parse(url, Map.of(RedisAddress.PASSWORD, "")).toString())
        .doesNotContain("with a password");
  }

  @Test
  void thePasswordIsNotShown() {
    RedisAddress address = RedisAddress.parse(
        "redis://user:secret@localhost", Map.of(RedisAddress.PASSWORD, "other-secret"));
    assertThat(address.toString()).doesNotContain("secret").doesNotContain("user");
  }

  @Test
  void aClusterWithoutAHashTagIsRefusedBeforeAnythingIsSent() {
    LockException refusal = catchThrowableOfType(
        LockException.class, () -> RedisLockBackend.connect("redis+cluster://nowhere.invalid:1"));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("{syncguard}");
  }
}
