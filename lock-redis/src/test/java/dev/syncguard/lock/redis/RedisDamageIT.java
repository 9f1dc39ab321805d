package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever somebody else puts under our keys, nothing of it is overwritten, and no fence is ever set back. */
class RedisDamageIT extends OneServer {

  private static final LockId ID = LockId.parse("AAAAAAAAAAAAAAAAAAAAAA");
  private static final String LOCK = "syncguard:report";
  private static final String INDEX = "syncguard:id:AAAAAAAAAAAAAAAAAAAAAA";
  private static final String FENCE = "syncguard:fence:syncguard:report";

  static Stream<String> foreignRecords() {
    String good =
        "{\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"expiresAtMs\":4000000000000,\"acquiredAtMs\":1,\"key\":\"report\",\"fence\":\"000000000000001\"}";
    return Stream.of(
        "",
        "hello",
        "7",
        "null",
        "[]",
        "{}",
        "\"text\"",
        good.substring(1),
        good + "x",
        good.replace("4000000000000", "\"4000000000000\""),
        good.replace("4000000000000", "1e400"),
        good.replace("4000000000000", "NaN"),
        good.replace("4000000000000", "-1"),
        good.replace("4000000000000", "null"),
        good.replace("\"expiresAtMs\":4000000000000,", ""),
        good.replace("\"acquiredAtMs\":1,", ""),
        good.replace("\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA\",", ""),
        good.replace("\"AAAAAAAAAAAAAAAAAAAAAA\"", "5"),
        good.replace("\"key\":\"report\",", ""),
        good.replace("\"000000000000001\"", "1"),
        good.replace("000000000000001", "abc"),
        good.replace("000000000000001", "00000000000001"),
        good.replace("000000000000001", "0000000000000001"),
        good.replace("000000000000001", "-00000000000001"),
        good.replace(",\"fence\":\"000000000000001\"", ""));
  }

  @ParameterizedTest
  @MethodSource("foreignRecords")
  void aForeignRecordIsAnErrorAndStays(String value) {
    jedis.set(LOCK, value);
    jedis.set(INDEX, LOCK);
    assertAllFailAndNothingChanges(operations());
  }

  @Test
  void aRecordOfTheWrongTypeIsAnErrorAndStays() {
    jedis.rpush(LOCK, "a", "b");
    jedis.set(INDEX, LOCK);
    assertAllFailAndNothingChanges(operations());
  }

  @Test
  void anIndexOfTheWrongTypeIsAnErrorAndStays() {
    jedis.hset(INDEX, "a", "b");
    Map<String, Runnable> all = operations();
    all.keySet()
        .retainAll(java.util.Set.of("acquire", "attempt", "release", "extend", "lookup by id"));
    assertAllFailAndNothingChanges(all);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "1.5",
        "1e3",
        "007",
        " 1",
        "-1",
        "-7",
        "9223372036854775807",
        "99999999999999999999"
      })
  void aForeignFenceCounterIsAnErrorAndStays(String counter) {
    jedis.set(FENCE, counter);
    Map<String, Runnable> all = operations();
    all.keySet().retainAll(java.util.Set.of("acquire", "attempt"));
    assertAllFailAndNothingChanges(all);
  }

  @Test
  void aFenceCounterOfTheWrongTypeIsAnErrorAndStays() {
    jedis.sadd(FENCE, "1");
    Map<String, Runnable> all = operations();
    all.keySet().retainAll(java.util.Set.of("acquire", "attempt"));
    assertAllFailAndNothingChanges(all);
  }

  @Test
  void withADamagedCounterAHandOffLeavesTheLockWhereItWas() {
    LockId holder = take("report");
    jedis.set(FENCE, "abc");
    String before = jedis.get(LOCK);
    LockId heir = newId();
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(key("report"), heir, () -> {})) {
      LockException failure =
          catchThrowableOfType(LockException.class, () -> place.takeOver(holder, LONG));
      assertThat(failure.code()).isEqualTo(LockException.Code.INTERNAL);
    }
    assertThat(jedis.get(LOCK)).isEqualTo(before);
    assertThat(release(holder)).isTrue();
  }

  @Test
  void aForeignValueInThePlaceOfTheLineDoesNotHinderARelease() {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    try (WaitingLine.Place place =
        patient.waitingLine().orElseThrow().join(key("report"), newId(), () -> {})) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      jedis.set(LOCK + "\0line", "hello");
      assertThat(catchThrowableOfType(LockException.class, () -> place.attempt(LONG, NEVER))
              .code())
          .isEqualTo(LockException.Code.INTERNAL);
      assertThat(release(holder)).isTrue();
    }
    assertThat(jedis.get(LOCK + "\0line")).isEqualTo("hello");
  }

  @Test
  void anIdThatBelongsToAnotherLeaseCannotBeUsedAgain() {
    LockId id = take("other");
    LockException failure = catchThrowableOfType(LockException.class, () -> isTaken("report", id));
    assertThat(failure.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(jedis.exists(FENCE)).as("a fence is used up").isFalse();
    assertThat(release(id)).isTrue();
  }

  @Test
  void fieldsThatWeDoNotKnowAreKept() {
    LockId id = take("report");
    String record = jedis.get(LOCK);
    jedis.set(LOCK, record.replaceFirst("}$", ",\"note\":\"x\"}"));
    backend.extend(id, LONG, NEVER);
    assertThat(jedis.get(LOCK)).contains("\"note\":\"x\"");
    assertThat(release(id)).isTrue();
  }

  private Map<String, Runnable> operations() {
    Map<String, Runnable> all = new LinkedHashMap<>();
    all.put("acquire", () -> backend.acquire(key("report"), ID, LONG, NEVER));
    all.put("attempt", () -> {
      try (WaitingLine.Place place =
          backend.waitingLine().orElseThrow().join(key("report"), ID, () -> {})) {
        place.attempt(LONG, NEVER);
      }
    });
    all.put("takeOver", () -> {
      try (WaitingLine.Place place =
          backend.waitingLine().orElseThrow().join(key("report"), newId(), () -> {})) {
        place.takeOver(ID, LONG);
      }
    });
    all.put("release", () -> backend.release(ID, NEVER));
    all.put("extend", () -> backend.extend(ID, LONG, NEVER));
    all.put("isLocked", () -> backend.isLocked(key("report"), NEVER));
    all.put("lookup by key", () -> backend.lookup(new LockQuery.ByKey(key("report")), NEVER));
    all.put("lookup by id", () -> backend.lookup(new LockQuery.ById(ID), NEVER));
    return all;
  }

  private void assertAllFailAndNothingChanges(Map<String, Runnable> operations) {
    Map<String, String> before = snapshot();
    operations.forEach((name, operation) -> {
      LockException failure = catchThrowableOfType(LockException.class, operation::run);
      assertThat(failure).as(name).isNotNull();
      assertThat(failure.code()).as(name).isEqualTo(LockException.Code.INTERNAL);
      assertThat(failure.isRetryable()).as(name).isFalse();
      assertThat(snapshot()).as(name).isEqualTo(before);
    });
  }

  /** Returns all that is stored, byte by byte. */
  private Map<String, String> snapshot() {
    Map<String, String> all = new TreeMap<>();
    jedis.keys("*").forEach(name -> all.put(name, Arrays.toString(jedis.dump(name))));
    return all;
  }
}
