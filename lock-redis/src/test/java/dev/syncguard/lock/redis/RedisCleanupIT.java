package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Records that outlive their lease. Neither we nor the TypeScript library write any, so these are written by hand: ages
 * are chosen so that no slowness of the machine can carry a record over the limit in the wrong direction.
 */
class RedisCleanupIT extends OneServer {

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ShiftedTime time = new ShiftedTime();
  private final Deque<Runnable> left = new ArrayDeque<>();
  private RedisLockBackend cleaner;

  @BeforeEach
  void openCleaner() {
    left.clear();
    cleaner = open(RedisLockBackend.builder(server.patient())
        .time(time)
        .cleanupInIsLocked(INTERVAL)
        .cleanupExecutor(left::add));
  }

  /** Stores a lease that ended so long ago, or ends in the future if that is negative, and returns its id. */
  private LockId store(String key, Duration ago) {
    LockId id = newId();
    long end = serverMillis() - ago.toMillis();
    jedis.set("syncguard:" + key, """
        {"lockId":"%s","key":"%s","fence":"000000000000001","acquiredAtMs":1,"expiresAtMs":%d}""".formatted(id.value(), key, end));
    jedis.set("syncguard:id:" + id.value(), "syncguard:" + key);
    return id;
  }

  private long serverMillis() {
    var now = jedis.time();
    return Long.parseLong(now.get(0)) * 1000 + Long.parseLong(now.get(1)) / 1000;
  }

  private boolean isStored(String key, LockId id) {
    boolean record = jedis.exists("syncguard:" + key);
    assertThat(jedis.exists("syncguard:id:" + id.value())).isEqualTo(record);
    return record;
  }

  /** Asks, and lets be cleaned what is to be cleaned. */
  private void look(RedisLockBackend with, String key) {
    assertThat(with.isLocked(key(key), NEVER)).isFalse();
    while (!left.isEmpty()) {
      left.remove().run();
    }
  }

  @Test
  void cleaningIsNotTheWorkOfWhoeverAsks() {
    LockId id = store("report", Duration.ofMinutes(5));
    assertThat(cleaner.isLocked(key("report"), NEVER)).isFalse();
    assertThat(isStored("report", id)).isTrue();
    left.remove().run();
    assertThat(isStored("report", id)).isFalse();
  }

  @Test
  void whatWasTakenMeanwhileIsLeftAlone() {
    store("report", Duration.ofMinutes(5));
    assertThat(cleaner.isLocked(key("report"), NEVER)).isFalse();
    LockId next = take("report");
    left.remove().run();
    assertThat(isStored("report", next)).isTrue();
  }

  @Test
  void byDefaultAThreadOfTheBackendCleans() throws Exception {
    LockId id = store("report", Duration.ofMinutes(5));
    RedisLockBackend own =
        open(RedisLockBackend.builder(server.patient()).cleanupInIsLocked(INTERVAL));
    assertThat(own.isLocked(key("report"), NEVER)).isFalse();
    while (jedis.exists("syncguard:id:" + id.value())) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void aRecordThatIsDeadForMoreThanTwoSecondsGoesWithItsIndexAndItsFenceStays() {
    release(take("report"));
    LockId id = store("report", Duration.ofMillis(2001));
    look(cleaner, "report");
    assertThat(isStored("report", id)).isFalse();
    assertThat(jedis.get("syncguard:fence:syncguard:report")).isEqualTo("1");
  }

  @Test
  void aRecordThatDiedJustNowStays() {
    LockId id = store("report", Duration.ofSeconds(1));
    long asked = serverMillis();
    look(cleaner, "report");
    boolean stored = isStored("report", id);
    // On a machine that was asleep in between, two seconds may have gone by.
    assertThat(stored || serverMillis() - asked > 900).isTrue();
  }

  @Test
  void aLiveRecordStays() {
    LockId id = store("report", Duration.ofMinutes(-5));
    assertThat(cleaner.isLocked(key("report"), NEVER)).isTrue();
    assertThat(isStored("report", id)).isTrue();
  }

  @Test
  void unlessAskedForNothingIsCleaned() {
    LockId id = store("report", Duration.ofMinutes(5));
    look(backend, "report");
    assertThat(isStored("report", id)).isTrue();
  }

  @Test
  void cleaningIsRateLimited() {
    LockId first = store("first", Duration.ofMinutes(5));
    LockId second = store("second", Duration.ofMinutes(5));
    look(cleaner, "first");
    look(cleaner, "second");
    assertThat(isStored("first", first)).isFalse();
    assertThat(isStored("second", second)).isTrue();
    time.pass(INTERVAL);
    look(cleaner, "second");
    assertThat(isStored("second", second)).isFalse();
  }
}
