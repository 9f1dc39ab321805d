package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.testkit.ChildJvm;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a killed process was doing, the file stays sound and no fence that it heard of is handed out again. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("slow")
class SqliteCrashTest {

  /** {@code torture/campaign kills} asks for more. */
  private static final int ROUNDS = Integer.getInteger("syncguard.kills", 12);

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(30_000);

  /** Takes and gives back the key without end, and says each fence when it has got it. */
  static final class Writer {
    public static void main(String[] arguments) {
      SecureRandom random = new SecureRandom();
      try (SqliteLockBackend backend = SqliteFixture.openWithSettableClock(arguments[0])) {
        while (true) {
          LockId id = LockId.random(random);
          AcquireResult result = backend.acquire(KEY, id, TTL, Cancellation.none());
          System.out.println(((AcquireResult.Acquired) result).fence().value());
          backend.extend(id, TTL, Cancellation.none());
          backend.release(id, Cancellation.none());
        }
      }
    }
  }

  @Test
  void aFenceThatAKilledProcessHeardOfIsNeverHandedOutAgain() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long highest = 0;
    int killedWhileHolding = 0;
    try (SqliteFixture fixture = new SqliteFixture()) {
      for (int round = 0; round < ROUNDS; round++) {
        highest = Math.max(highest, fencesUntilKilled(fixture, random));
        try (SqliteLockBackend backend = fixture.open()) {
          killedWhileHolding += backend.isLocked(KEY, Cancellation.none()) ? 1 : 0;
          // Whatever the dead one held ends by itself.
          fixture.pass(Duration.ofMinutes(1));
          LockId id = LockId.random(new SecureRandom());
          AcquireResult result = backend.acquire(KEY, id, TTL, Cancellation.none());
          assertThat(result)
              .as("round %d of seed %d", round, seed)
              .isInstanceOf(AcquireResult.Acquired.class);
          long fence = ((AcquireResult.Acquired) result).fence().value();
          assertThat(fence).as("round %d of seed %d", round, seed).isGreaterThan(highest);
          highest = fence;
          backend.release(id, Cancellation.none());
        }
        assertThat(RawSqlite.text(fixture.file(), "PRAGMA integrity_check"))
            .as("round %d of seed %d", round, seed)
            .isEqualTo("ok");
      }
    }
    assertThat(killedWhileHolding)
        .as("rounds in which the killed one held the key")
        .isPositive();
  }

  private static long fencesUntilKilled(SqliteFixture fixture, Random random) {
    try (ChildJvm child = ChildJvm.run(Writer.class, fixture.file())) {
      long highest = 0;
      int enough = 1 + random.nextInt(20);
      for (int heard = 0; heard < enough; heard++) {
        highest = Long.parseLong(child.nextLine());
      }
      LockSupport.parkNanos(random.nextInt(2_000_000));
      List<String> lateNews = child.kill();
      for (String line : lateNews) {
        // The last line may have been cut off in the middle, and is then smaller than the others.
        highest = Math.max(highest, line.isEmpty() ? 0 : Long.parseLong(line));
      }
      return highest;
    }
  }
}
