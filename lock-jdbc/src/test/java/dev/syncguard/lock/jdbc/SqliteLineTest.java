package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine.Place;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
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
  void whoWasPassedOverButLivesGoesBackToWhereItStood() {
    take();
    Waiter late = standing();
    Waiter second = standing();
    Waiter third = standing();
    backend.release(holder, NEVER);
    fixture.pass(TURN);
    assertThat(second.succeeds()).isTrue();
    assertThat(late.succeeds()).isFalse();
    backend.release(second.id, NEVER);
    assertThat(third.succeeds()).isFalse();
    assertThat(late.succeeds()).isTrue();
    backend.release(late.id, NEVER);
    assertThat(third.succeeds()).isTrue();
  }

  @Test
  void theFirstInLineIsWokenByARelease() throws InterruptedException {
    take();
    Waiter first = standing();
    Waiter second = standing();
    backend.release(holder, NEVER);
    assertThat(first.wakeUps.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    assertThat(second.wakeUps.availablePermits()).as("only one is woken").isZero();
  }

  @Test
  void whoFindsAFreeKeyThatIsNotForItCallsTheFirst() {
    take();
    Waiter first = standing();
    fixture.pass(TTL.duration().plusSeconds(1));
    assertThat(outsiderSucceeds()).isFalse();
    assertThat(first.wakeUps.availablePermits()).isPositive();
    first.wakeUps.drainPermits();
    Waiter second = standing();
    assertThat(second.succeeds()).isFalse();
    assertThat(first.wakeUps.availablePermits()).isPositive();
  }

  @Test
  void aFreeKeyIsNotKeptForThoseWhoAreGone() {
    take();
    SqliteLockBackend dying = fixture.open();
    assertThat(dying
            .waitingLine()
            .orElseThrow()
            .join(KEY, LockId.random(random), () -> {})
            .attempt(TTL, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    dying.close();
    fixture.pass(TTL.duration().plusSeconds(1));
    assertThat(outsiderSucceeds()).isTrue();
    assertThat(waiters()).isZero();
  }

  @Test
  void aWaiterLooksAgainWhenTheLeaseEndsByItselfAndOtherwiseSeldom() {
    take();
    Waiter first = standing();
    Waiter second = standing();
    assertThat(first.place.patience()).isEqualTo(Duration.ofSeconds(1));
    assertThat(second.place.patience()).isEqualTo(Duration.ofSeconds(2));
    fixture.pass(TTL.duration().plusMillis(600));
    assertThat(first.succeeds()).isFalse();
    assertThat(first.place.patience())
        .as("until the tolerance ends")
        .isEqualTo(Duration.ofMillis(401));
    assertThat(second.succeeds()).isFalse();
    assertThat(second.place.patience())
        .as("a turn later")
        .isEqualTo(Duration.ofMillis(401 + SqliteSchema.TURN_MS));
  }

  @Test
  void anAbandonedSocketIsRemovedByTheNextWhoWaits() throws IOException {
    Path socket = Path.of(fixture.file() + "-wake-abandoned");
    try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();
    take();
    standing();
    assertThat(socket).doesNotExist();
  }

  @Test
  void callsWithAnotherMeaningAreSurvived() throws Exception {
    take();
    Waiter waiter = standing();
    Path socket = Path.of(fixture.file()
        + RawSqlite.text(fixture.file(), "SELECT socket FROM waiters")
            .substring("locks.db".length()));
    for (byte[] message : List.of(new byte[0], new byte[] {1}, new byte[1000])) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        channel.write(ByteBuffer.wrap(message));
      } catch (IOException e) {
        // Whoever listens hangs up as soon as it was called; that may be before we have said all.
      }
    }
    waiter.wakeUps.acquire();
    SqliteLockBackend other = fixture.open();
    other.release(holder, NEVER);
    other.close();
    while (!waiter.succeeds()) {
      assertThat(waiter.wakeUps.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aWaiterWithoutASocketPolls() {
    Path deep = fixture.file();
    while (deep.toString().length() < 110) {
      deep = deep.resolveSibling("a-long-name").resolve("locks.db");
    }
    try (SqliteLockBackend far =
        SqliteLockBackend.builder(deep).createDirectory().build()) {
      far.acquire(KEY, holder, TTL, NEVER);
      Place place = far.waitingLine().orElseThrow().join(KEY, LockId.random(random), () -> {});
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(place.patience()).isEqualTo(Duration.ofMillis(50));
      far.release(holder, NEVER);
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
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
  void aFileOfTheFirstVersionKeepsItsFencesAndLearnsToCallItsWaiters() {
    take();
    RawSqlite.execute(
        fixture.file(),
        "ALTER TABLE locks DROP COLUMN note; DROP TABLE waiters; CREATE TABLE waiters (key TEXT NOT NULL, ticket INTEGER NOT NULL,"
            + " lock_id TEXT NOT NULL, PRIMARY KEY (key, ticket)) STRICT, WITHOUT ROWID;"
            + " INSERT INTO waiters VALUES ('report', 1, 'somebody'); PRAGMA user_version = 1");
    try (SqliteLockBackend opened = fixture.open()) {
      Place place = opened.waitingLine().orElseThrow().join(KEY, LockId.random(random), () -> {});
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      opened.release(holder, NEVER);
      assertThat(place.attempt(TTL, NEVER))
          .isInstanceOfSatisfying(
              AcquireResult.Acquired.class,
              grant -> assertThat(grant.fence().value()).isEqualTo(2));
    }
  }

  @Test
  void nothingListensOnceTheBackendIsClosed() throws InterruptedException {
    take();
    standing();
    assertThat(listeners()).isPositive();
    backend.close();
    while (listeners() > 0) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(fixture.file().toFile().getParentFile().list())
        .noneMatch(name -> name.contains("wake"));
  }

  private static long listeners() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("syncguard-sqlite-wake-ups"))
        .count();
  }
}
