package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.params.SetParams;

/** What we store is what the TypeScript library stores, and either side can go on with a lock of the other. */
class RedisWireIT extends OneServer {

  private static final long FAR_AWAY = 4_000_000_000_000L;
  private ForeignClient foreigner;

  @BeforeEach
  void openForeignClient() {
    foreigner = new ForeignClient(jedis);
  }

  static Stream<JsonNode> storedValues() throws IOException {
    JsonNode root = new ObjectMapper()
        .readTree(Path.of("..", "vectors", "syncguard-vectors.json").toFile());
    return StreamSupport.stream(root.get("redisStoredValues").spliterator(), false)
        .filter(vector -> vector.get("userKey").isTextual())
        .filter(vector -> vector.get("userKey").asText().indexOf('\0') < 0);
  }

  /** One vector has a ttl of three thousand years, which we do not grant but can read. */
  static Stream<JsonNode> storableValues() throws IOException {
    return storedValues().filter(vector -> vector.has("valueAfterExtend"));
  }

  @ParameterizedTest
  @MethodSource("storableValues")
  void aLockIsStoredAsTheTypeScriptLibraryStoresIt(JsonNode vector) throws IOException {
    String userKey = vector.get("userKey").asText();
    String lock = vector.get("lockKey").asText();
    LockId id = LockId.parse(vector.get("lockId").asText());
    assertThat(backend.acquire(key(userKey), id, LONG, NEVER))
        .isInstanceOf(AcquireResult.Acquired.class);

    assertThat(normal(jedis.get(lock)))
        .isEqualTo(normal(vector.get("valueAfterAcquire").asText()));
    assertThat(jedis.get("syncguard:id:" + id.value()))
        .isEqualTo(vector.get("indexValue").asText());
    assertThat(jedis.get("syncguard:fence:" + lock))
        .isEqualTo(vector.get("fenceCounterValue").asText());

    backend.extend(id, LONG, NEVER);
    assertThat(normal(jedis.get(lock)))
        .isEqualTo(normal(vector.get("valueAfterExtend").asText()));
  }

  /** Returns the members in a fixed order with all times set to zero; strings stay spelled as they are. */
  private static List<String> normal(String json) throws IOException {
    String untimed = json.replaceAll("(\"(?:acquired|expires)AtMs\":)\\d{13}(?=[,}])", "$10");
    List<String> members = new ArrayList<>();
    new ObjectMapper().readTree(untimed).fieldNames().forEachRemaining(members::add);
    members.sort(null);
    List<String> spelled = new ArrayList<>();
    for (String member : members) {
      int from = untimed.indexOf("\"" + member + "\":");
      int to = untimed.indexOf(",\"", from);
      spelled.add(untimed.substring(from, to < 0 ? untimed.length() - 1 : to));
    }
    return spelled;
  }

  @ParameterizedTest
  @MethodSource("storedValues")
  void aLockThatTheTypeScriptLibraryStoredIsFoundExtendedAndReleased(JsonNode vector) {
    LockId id = LockId.parse(vector.get("lockId").asText());
    String lock = vector.get("lockKey").asText();
    String value = vector
        .get(vector.has("valueAfterExtend") ? "valueAfterExtend" : "valueAfterAcquire")
        .asText()
        .replaceAll("\"expiresAtMs\":\\d{13}(?=[,}])", "\"expiresAtMs\":" + FAR_AWAY);
    jedis.set(lock, value, new SetParams().px(60_000));
    jedis.set("syncguard:id:" + id.value(), lock, new SetParams().px(60_000));
    jedis.set("syncguard:fence:" + lock, "1");

    LockInfoDebug found = backend.lookupRaw(new LockQuery.ById(id), NEVER).orElseThrow();
    assertThat(found.key()).isEqualTo(key(vector.get("userKey").asText()));
    assertThat(found.fence().text()).isEqualTo(vector.get("fence").asText());
    assertThat(found.expiresAt().toEpochMilli())
        .isEqualTo(vector.has("valueAfterExtend") ? FAR_AWAY : 100_794_770_667_920L);
    assertThat(found.acquiredAt().toEpochMilli()).isEqualTo(acquiredAt(value));
    assertThat(backend.extend(id, LONG, NEVER)).isInstanceOf(ExtendResult.Extended.class);
    assertThat(release(id)).isTrue();
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:" + lock);
  }

  private static long acquiredAt(String value) {
    return Long.parseLong(value.replaceFirst("(?s).*\"acquiredAtMs\":(\\d+).*", "$1"));
  }

  @Test
  void eachSideRespectsTheLocksOfTheOtherAndFencesRiseThroughBoth() {
    LockId theirs = newId();
    assertThat(foreigner.acquire("report", theirs, 600_000)).isEqualTo("000000000000001");
    assertThat(isTaken("report", newId())).isFalse();
    assertThat(backend.isLocked(key("report"), NEVER)).isTrue();
    assertThat(release(theirs)).isTrue();

    LockId ours = newId();
    AcquireResult second = backend.acquire(key("report"), ours, LONG, NEVER);
    assertThat(((AcquireResult.Acquired) second).fence().value()).isEqualTo(2);
    assertThat(foreigner.acquire("report", newId(), 600_000)).isEmpty();
    assertThat(foreigner.isLocked("report", false)).isTrue();
    assertThat(foreigner.extend(ours, 600_000)).isTrue();
    assertThat(foreigner.release(ours)).isEqualTo(1);
    assertThat(release(ours)).isFalse();
    assertThat(foreigner.acquire("report", newId(), 600_000)).isEqualTo("000000000000003");
  }

  @Test
  void aRecordLivesAsLongAsAnybodyMayCallItLive() {
    LockId id = take(backend, "report", Ttl.ofMillis(30_000));
    assertThat(jedis.pttl("syncguard:report")).isBetween(30_001L, 31_000L);
    assertThat(jedis.pttl("syncguard:id:" + id.value())).isBetween(30_001L, 31_000L);
    backend.extend(id, Ttl.ofMillis(50_000), NEVER);
    assertThat(jedis.pttl("syncguard:report")).isBetween(50_001L, 51_000L);
    assertThat(jedis.pttl("syncguard:id:" + id.value())).isBetween(50_001L, 51_000L);
    assertThat(jedis.pttl("syncguard:fence:syncguard:report")).isEqualTo(-1);
  }

  @Test
  void aForeignExtensionKeepsTheMarkThatSomebodyWaits() {
    RedisLockBackend patient = openPatient();
    LockId holder = take(patient, "report", LONG);
    LockId waiting = newId();
    try (WaitingLine.Place place =
        patient.waitingLine().orElseThrow().join(key("report"), waiting, () -> {})) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(foreigner.extend(holder, 600_000)).isTrue();
      patient.release(holder, NEVER);
      assertThat(isTaken("report", newId())).as("kept for the waiter").isFalse();
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void aForeignClientGoesOnWithALockThatHasANote() {
    LockId ours = newId();
    backend.acquire(key("report"), ours, LONG, LockNote.of("our word"), NEVER);
    assertThat(foreigner.isLocked("report", false)).isTrue();
    assertThat(foreigner.extend(ours, 600_000)).isTrue();
    assertThat(lookup("report").note()).contains(LockNote.of("our word"));
    assertThat(foreigner.release(ours)).isEqualTo(1);
    foreigner.acquire("report", newId(), 600_000);
    assertThat(lookup("report").note()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "null", "{}", "\"\\u001b[2J\"", "\"\""})
  void aForeignNoteThatIsNoneHidesNothing(String note) {
    take("report");
    String record = jedis.get("syncguard:report");
    jedis.set(
        "syncguard:report",
        record.replaceFirst("\\{", "{\"note\":" + Matcher.quoteReplacement(note) + ","));
    assertThat(lookup("report").note()).isEmpty();
    assertThat(backend.listing().orElseThrow().live(10, NEVER)).hasSize(1);
  }

  private LockInfo lookup(String name) {
    return backend.lookup(new LockQuery.ByKey(key(name)), NEVER).orElseThrow();
  }

  @Test
  void everyOtherReservationIsAFreeLockToThoseWhoDoNotKnowIt() {
    RedisLockBackend patient = openPatient();
    release(take("report"));
    LockId holder = take(patient, "report", LONG);
    LockId waiting = newId();
    try (WaitingLine.Place place =
        patient.waitingLine().orElseThrow().join(key("report"), waiting, () -> {})) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      patient.release(holder, NEVER);
      assertThat(foreigner.isLocked("report", false)).isFalse();
      LockId barging = newId();
      assertThat(foreigner.acquire("report", barging, 600_000)).isEqualTo("000000000000003");
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(foreigner.release(barging)).isEqualTo(1);
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void aForeignCleanupOfAReservationDoesNoHarm() {
    RedisLockBackend patient = openPatient();
    release(take("report"));
    LockId holder = take(patient, "report", LONG);
    try (WaitingLine.Place place =
        patient.waitingLine().orElseThrow().join(key("report"), newId(), () -> {})) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      patient.release(holder, NEVER);
      assertThat(foreigner.isLocked("report", true)).isFalse();
      assertThat(jedis.exists("syncguard:report")).isFalse();
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }
}
