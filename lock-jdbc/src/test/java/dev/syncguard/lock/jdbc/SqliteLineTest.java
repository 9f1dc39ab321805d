package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine.Place;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines in which some do not come when it is their turn. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SqliteLineTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();
  private static final Duration TURN = Duration.ofMillis(SqliteSchema.TURN_MS);
  private static final Duration ALMOST_A_TURN = TURN.minusMillis(1);

  private final SecureRandom random = new SecureRandom();
  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteLockBackend backend = fixture.open();
  private final LockId holder = LockId.random(random);

  @AfterEach
  void tidyUp() {
    backend.close();
    fixture.close();
  }

  private final class Waiter {
    final LockId id = LockId.random(random);
    final Semaphore wakeUps = new Semaphore(0);
    final Place place = backend.waitingLine().orElseThrow().join(KEY, id, wakeUps::release);

    boolean succeeds() {
      return place.attempt(TTL, NEVER) instanceof AcquireResult.Acquired;
    }
  }

  private Waiter standing() {
    Waiter waiter = new Waiter();
    assertThat(waiter.succeeds()).as("while somebody holds the key").isFalse();
    return waiter;
  }

  private boolean outsiderSucceeds() {
    return backend.acquire(KEY, LockId.random(random), TTL, NEVER)
        instanceof AcquireResult.Acquired;
  }

  private void take() {
    assertThat(backend.acquire(KEY, holder, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
  }

  private long waiters() {
    return RawSqlite.number(fixture.file(), "SELECT count(*) FROM waiters");
  }

  @Test
  void aFreeKeyIsKeptForTheFirstInLineForOneTurn() {
    take();
    Waiter first = standing();
    backend.release(holder, NEVER);
    fixture.pass(ALMOST_A_TURN);
    assertThat(outsiderSucceeds()).isFalse();
    assertThat(first.succeeds()).isTrue();
    assertThat(waiters()).isZero();
  }

  @Test
  void whoDoesNotComeIsPassedOver() {
    take();
    standing();
    Waiter second = standing();
    backend.release(holder, NEVER);
    fixture.pass(ALMOST_A_TURN);
    assertThat(second.succeeds()).isFalse();
    fixture.pass(Duration.ofMillis(1));
    assertThat(second.succeeds()).isTrue();
    assertThat(waiters()).as("the dead one included").isZero();
  }

  @Test
  void anOutsiderComesAfterAllWhoStandInLine() {
    take();
    standing();
    standing();
    backend.release(holder, NEVER);
    fixture.pass(TURN.plus(ALMOST_A_TURN));
    assertThat(outsiderSucceeds()).isFalse();
    fixture.pass(Duration.ofMillis(1));
    assertThat(outsiderSucceeds()).isTrue();
    assertThat(waiters()).as("both are dead").isZero();
  }

  @Test
  void theDeadCostATurnOnlyOnce() {
    take();
    standing();
    backend.release(holder, NEVER);
    fixture.pass(TURN);
    take();
    backend.release(holder, NEVER);
    assertThat(outsiderSucceeds()).isTrue();
  }

  @Test
  void theDeadCostNothingOnceTheKeyHasBeenFreeForLong() {
    take();
    standing();
    backend.release(holder, NEVER);
    fixture.pass(Duration.ofMinutes(1));
    assertThat(outsiderSucceeds()).isTrue();
  }

  @Test
  void theLineIsAlsoKeptWhenALeaseEndsByItself() {
    take();
    Waiter first = standing();
    Waiter second = standing();
    fixture.pass(TTL.duration().plusSeconds(1));
    assertThat(outsiderSucceeds()).isFalse();
    assertThat(second.succeeds()).isFalse();
    assertThat(first.succeeds()).isTrue();
  }

  @Test
  void whoWasPassedOverButLivesStandsAtTheEnd() {
    take();
    Waiter late = standing();
    Waiter second = standing();
    Waiter third = standing();
    backend.release(holder, NEVER);
    fixture.pass(TURN);
    assertThat(second.succeeds()).isTrue();
    assertThat(late.succeeds()).isFalse();
    backend.release(second.id, NEVER);
    assertThat(late.succeeds()).isFalse();
    assertThat(third.succeeds()).isTrue();
    backend.release(third.id, NEVER);
    assertThat(late.succeeds()).isTrue();
  }

  @Test
  void aLivingOneIsToldThatItWasPassedOver() throws InterruptedException {
    take();
    Waiter late = standing();
    Waiter second = standing();
    backend.release(holder, NEVER);
    assertThat(late.wakeUps.tryAcquire(1, TimeUnit.MINUTES)).as("its turn").isTrue();
    assertThat(late.succeeds()).isTrue();
    backend.release(late.id, NEVER);
    assertThat(second.wakeUps.tryAcquire(1, TimeUnit.MINUTES)).as("its turn").isTrue();
    Waiter other = new Waiter();
    assertThat(other.succeeds()).isFalse();
    fixture.pass(TURN);
    assertThat(other.wakeUps.tryAcquire(1, TimeUnit.MINUTES))
        .as("the turn of the next")
        .isTrue();
    assertThat(other.succeeds()).isTrue();
    assertThat(second.succeeds()).isFalse();
    backend.release(other.id, NEVER);
    assertThat(second.wakeUps.tryAcquire(1, TimeUnit.MINUTES))
        .as("its turn again")
        .isTrue();
  }

  @Test
  void handingOverTakesNobodyElseOutOfTheLine() {
    take();
    Waiter elsewhere = standing();
    Waiter heir = standing();
    assertThat(heir.place.takeOver(holder, TTL)).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(waiters()).isEqualTo(1);
    backend.release(heir.id, NEVER);
    assertThat(outsiderSucceeds()).isFalse();
    assertThat(elsewhere.succeeds()).isTrue();
  }

  @Test
  void aReleasedKeyIsFreeAlthoughTheClockWasSetBack() {
    take();
    backend.release(holder, NEVER);
    fixture.pass(Duration.ofHours(-1));
    assertThat(outsiderSucceeds()).isTrue();
  }

  @Test
  void theDeadHoldNobodyUpWhenTheClockWasSetBack() {
    take();
    standing();
    backend.release(holder, NEVER);
    fixture.pass(Duration.ofHours(-1));
    assertThat(outsiderSucceeds()).isTrue();
  }

  @Test
  void nothingIsLeftOfAPlaceThatWasClosed() {
    take();
    standing().place.close();
    assertThat(waiters()).isZero();
  }

  @Test
  void theWatchEndsWhenNobodyWaits() throws InterruptedException {
    take();
    Waiter waiter = standing();
    assertThat(watches()).isPositive();
    waiter.place.close();
    awaitNoWatch();
    Waiter another = standing();
    backend.release(holder, NEVER);
    assertThat(another.wakeUps.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    backend.close();
    awaitNoWatch();
  }

  private static void awaitNoWatch() throws InterruptedException {
    while (watches() > 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static long watches() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("syncguard-sqlite-watch"))
        .count();
  }
}
