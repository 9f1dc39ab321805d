package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.RetryPolicy;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** What waiting leaves behind, who is told, and what happens when nobody can be told. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresLineIT {

  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);

  private final PostgresDatabase database = new PostgresDatabase();
  private PostgresLockBackend backend;

  @BeforeEach
  void open() {
    backend = database.open();
  }

  @AfterEach
  void close() {
    backend.close();
    database.close();
  }

  private static LockId newId() {
    return LockId.random(new SecureRandom());
  }

  private LockId hold() {
    LockId id = newId();
    assertThat(backend.acquire(KEY, id, TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    return id;
  }

  private long waiting() {
    return database.number("SELECT count(*) FROM syncguard_locks_waiters");
  }

  /** Lets a waiter try until its process is heard to listen. */
  private void awaitListening(WaitingLine.Place place) {
    PostgresDatabase.await(() -> {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      return database.number(
              "SELECT count(*) FROM syncguard_locks_waiters WHERE channel IS NOT NULL")
          > 0;
    });
  }

  @Test
  void manyWaitersInTwoProcessesLeaveNothingBehind() throws Exception {
    AtomicInteger turns = new AtomicInteger();
    try (PostgresLockBackend other = PostgresLockBackend.connect(database.url());
        Locks here = Locks.over(backend);
        Locks there = Locks.over(other)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Locks locks = i % 2 == 0 ? here : there;
        threads.add(new Thread(() -> {
          for (int round = 0; round < 10; round++) {
            locks
                .lock("report")
                .waitUpTo(Duration.ofMinutes(1))
                .run(lease -> turns.incrementAndGet());
          }
        }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(turns).hasValue(60);
    assertThat(waiting()).isZero();
    assertThat(database.number("SELECT count(*) FROM syncguard_locks")).isZero();
  }

  @Test
  void nobodyIsToldAnythingUnlessSomebodyWaits() throws Exception {
    LockId holder = hold();
    Semaphore wakeUps = new Semaphore(0);
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(KEY, newId(), wakeUps::release)) {
      awaitListening(place);
      String channel = channel();
      try (Connection eavesdropper = database.source().getConnection()) {
        PostgresDatabase.execute(eavesdropper, "LISTEN \"" + channel + "\"");
        PGConnection ears = eavesdropper.unwrap(PGConnection.class);
        wakeUps.drainPermits();
        backend.release(holder, NEVER);
        assertThat(ears.getNotifications(30_000))
            .hasSize(1)
            .allSatisfy(told ->
                assertThat(told.getParameter()).as("no secret, only a number").matches("\\d+"));
        assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
        place.close();
        for (int i = 0; i < 5; i++) {
          LockId id = newId();
          backend.acquire(LockKey.of("other"), id, TTL, NEVER);
          backend.release(id, NEVER);
        }
        assertThat(ears.getNotifications(200)).isNullOrEmpty();
      }
    }
  }

  private String channel() {
    return database.text("SELECT channel FROM syncguard_locks_waiters");
  }

  @Test
  void aFreeKeyIsNotKeptForSomebodyWhoWasNotCalled() {
    hold();
    try (WaitingLine.Place dead =
        backend.waitingLine().orElseThrow().join(KEY, newId(), () -> {})) {
      assertThat(dead.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      database.execute("DELETE FROM syncguard_locks");
      assertThat(backend.acquire(KEY, newId(), TTL, NEVER))
          .as("an attempt that is not repeated")
          .isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void aKeyFreedByAClientThatKnowsNoLineGoesToTheFirstWhoIsCalledByTheSecond() throws Exception {
    hold();
    Semaphore wakeUps = new Semaphore(0);
    WaitingLine line = backend.waitingLine().orElseThrow();
    try (WaitingLine.Place first = line.join(KEY, newId(), wakeUps::release);
        WaitingLine.Place second = line.join(KEY, newId(), () -> {})) {
      awaitListening(first);
      assertThat(second.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      wakeUps.drainPermits();
      database.execute("DELETE FROM syncguard_locks");
      assertThat(second.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aNotificationThatIsNoNumberIsSurvived() throws Exception {
    LockId holder = hold();
    Semaphore wakeUps = new Semaphore(0);
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(KEY, newId(), wakeUps::release)) {
      awaitListening(place);
      String channel = channel();
      for (String payload : List.of("nonsense", "", "99999999999999999999", "-1")) {
        database.execute("SELECT pg_notify('" + channel + "', '" + payload + "')");
      }
      String listening = "SELECT pid FROM pg_stat_activity WHERE datname = '" + database.name()
          + "' AND query LIKE 'LISTEN%'";
      long listener = database.server().number(listening);
      wakeUps.acquire();
      wakeUps.drainPermits();
      backend.release(holder, NEVER);
      assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      assertThat(database.server().number(listening)).as("the same session").isEqualTo(listener);
    }
  }

  @Test
  void aListenerWhoseSessionWasKilledIsBackSoon() throws Exception {
    LockId holder = hold();
    Semaphore wakeUps = new Semaphore(0);
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(KEY, newId(), wakeUps::release)) {
      awaitListening(place);
      wakeUps.drainPermits();
      database
          .server()
          .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
              + database.name() + "' AND query LIKE 'LISTEN%'");
      // Whoever reconnects tells all waiters to look again.
      assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      backend.release(holder, NEVER);
      PostgresDatabase.await(() -> place.attempt(TTL, NEVER) instanceof AcquireResult.Acquired);
    }
  }

  @Test
  void aServerThatForgotTheLineIsRemindedOfTheOrder() {
    LockId holder = hold();
    WaitingLine line = backend.waitingLine().orElseThrow();
    try (WaitingLine.Place first = line.join(KEY, newId(), () -> {});
        WaitingLine.Place second = line.join(KEY, newId(), () -> {})) {
      assertThat(first.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(second.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      database.execute("TRUNCATE syncguard_locks_waiters");
      assertThat(second.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      assertThat(first.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      backend.release(holder, NEVER);
      assertThat(database.number(
              "SELECT count(*) FROM syncguard_locks_waiters w WHERE called_at_ms IS NOT NULL AND"
                  + " ticket = (SELECT min(ticket) FROM syncguard_locks_waiters)"))
          .isEqualTo(1);
      assertThat(first.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }

  @Test
  void whoeverOnlyPollsIsNotStarvedByThoseInLine() throws Exception {
    AtomicBoolean served = new AtomicBoolean();
    List<Thread> line = new ArrayList<>();
    try (PostgresLockBackend other = PostgresLockBackend.connect(database.url());
        Locks here = Locks.over(backend);
        Locks there = Locks.over(other);
        Locks polling = Locks.builder(backend).pollingOnly().build()) {
      for (Locks locks : List.of(here, there, here, there)) {
        line.add(new Thread(() -> {
          while (!served.get()) {
            locks.lock("report").waitUpTo(Duration.ofMinutes(1)).run(lease -> {});
          }
        }));
      }
      line.forEach(Thread::start);
      try {
        RetryPolicy patient = RetryPolicy.DEFAULT
            .withMaxRetries(100_000)
            .withDelay(Duration.ofMillis(20))
            .withBackoff(RetryPolicy.Backoff.FIXED);
        for (int turn = 0; turn < 3; turn++) {
          polling
              .lock("report")
              .polling(patient)
              .waitUpTo(Duration.ofSeconds(60))
              .run(lease -> {});
        }
      } finally {
        served.set(true);
        for (Thread thread : line) {
          thread.join();
        }
      }
    }
  }

  @Test
  void somebodyNewDoesNotComeBeforeTheOneWhoWasCalled() {
    LockId holder = hold();
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(KEY, newId(), () -> {})) {
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      // The turn must not lapse on a slow machine before we have looked.
      database.execute("UPDATE syncguard_locks_waiters SET called_at_ms = 9000000000000");
      backend.release(holder, NEVER);
      assertThat(backend.acquire(KEY, newId(), TTL, NEVER))
          .isInstanceOf(AcquireResult.Contended.class);
      assertThat(place.attempt(TTL, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
  }
}
