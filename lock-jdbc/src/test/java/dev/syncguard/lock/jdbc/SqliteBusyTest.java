package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another process keeps the file to itself for a while. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SqliteBusyTest {

  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl SECOND = Ttl.ofMillis(1_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path file = directory.path().resolve("locks.db");
  private final LockId id = LockId.random(new SecureRandom());

  @AfterEach
  void tidyUp() {
    directory.close();
  }

  private SqliteLockBackend open(Duration busyTimeout) {
    return SqliteLockBackend.builder(file).busyTimeout(busyTimeout).build();
  }

  /** Keeps everybody else from writing until it is closed. */
  private final class Hog implements AutoCloseable {
    private final Connection connection;

    Hog() throws SQLException {
      connection = RawSqlite.connect(file);
      execute("BEGIN IMMEDIATE");
    }

    private void execute(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  @Test
  void aGrantThatHadToWaitLongerThanItsTtlBeginsWhenTheWaitIsOver() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMinutes(1))) {
      CompletableFuture<AcquireResult> attempt;
      Instant free;
      try (Hog hog = new Hog()) {
        attempt = CompletableFuture.supplyAsync(() -> backend.acquire(KEY, id, SECOND, NEVER));
        // SQLite reads the real clock here, so it takes real time.
        TimeUnit.MILLISECONDS.sleep(2_500);
        free = Instant.now();
      }
      AcquireResult.Acquired grant = (AcquireResult.Acquired) attempt.get();
      assertThat(grant.expiresAt()).isAfterOrEqualTo(free.plusMillis(SECOND.millis() - 1));
    }
  }

  @Test
  void afterTheBusyTimeoutTheStoreIsUnavailable() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMillis(50))) {
      try (Hog hog = new Hog()) {
        LockException refusal = catchThrowableOfType(
            LockException.class, () -> backend.acquire(KEY, id, SECOND, NEVER));
        assertThat(refusal.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        assertThat(refusal.key()).contains(KEY);
        assertThat(refusal).hasMessageContaining("50 ms");
      }
      assertWorks(backend);
    }
  }

  @Test
  void readersAreNotHeldUp() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMillis(50))) {
      backend.acquire(KEY, id, Ttl.ofMillis(60_000), NEVER);
      try (Hog hog = new Hog()) {
        assertThat(backend.isLocked(KEY, NEVER)).isTrue();
      }
    }
  }

  @Test
  void aCancelledCallerStopsWaiting() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMinutes(10))) {
      try (Hog hog = new Hog()) {
        Cancellation cancellation = Cancellation.create();
        CompletableFuture<LockException> first = new CompletableFuture<>();
        CompletableFuture<LockException> second = new CompletableFuture<>();
        awaitWaiting(start(() -> first.complete(refusal(backend, cancellation))));
        // The second waits for the first, not for the file.
        awaitWaiting(start(() -> second.complete(refusal(backend, cancellation))));
        cancellation.cancel();
        assertThat(first.get().code()).isEqualTo(Code.ABORTED);
        assertThat(second.get().code()).isEqualTo(Code.ABORTED);
      }
      assertWorks(backend);
    }
  }

  private static Thread start(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private LockException refusal(SqliteLockBackend backend, Cancellation cancellation) {
    return catchThrowableOfType(
        LockException.class, () -> backend.acquire(KEY, id, SECOND, cancellation));
  }

  @Test
  void anInterruptedCallerStopsWaitingAndStaysInterrupted() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMinutes(10))) {
      try (Hog hog = new Hog()) {
        CompletableFuture<LockException> refusal = new CompletableFuture<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiter = start(() -> {
          refusal.complete(refusal(backend, NEVER));
          interrupted.set(Thread.currentThread().isInterrupted());
        });
        awaitWaiting(waiter);
        waiter.interrupt();
        waiter.join();
        assertThat(refusal.get().code()).isEqualTo(Code.ABORTED);
        assertThat(interrupted).isTrue();
      }
      assertWorks(backend);
    }
  }

  @Test
  void anInterruptedReleaseIsDoneAllTheSame() throws Exception {
    try (SqliteLockBackend backend = open(Duration.ofMinutes(1))) {
      backend.acquire(KEY, id, Ttl.ofMillis(60_000), NEVER);
      CompletableFuture<ReleaseResult> result = new CompletableFuture<>();
      AtomicBoolean interrupted = new AtomicBoolean();
      Thread waiter = new Thread(() -> {
        result.complete(backend.release(id, NEVER));
        interrupted.set(Thread.currentThread().isInterrupted());
      });
      try (Hog hog = new Hog()) {
        waiter.start();
        awaitWaiting(waiter);
        waiter.interrupt();
        waiter.join(200);
        assertThat(waiter.isAlive()).as("still waiting").isTrue();
      }
      waiter.join();
      assertThat(result.get()).isInstanceOf(ReleaseResult.Released.class);
      assertThat(interrupted).isTrue();
    }
  }

  @Test
  void aClosedBackendSaysSo() {
    SqliteLockBackend backend = open(Duration.ofSeconds(1));
    backend.close();
    backend.close();
    for (Runnable call : new Runnable[] {
      () -> backend.acquire(KEY, id, SECOND, NEVER),
      () -> backend.release(id, NEVER),
      () -> backend.isLocked(KEY, NEVER)
    }) {
      LockException refusal = catchThrowableOfType(LockException.class, call::run);
      assertThat(refusal).hasMessageContaining("closed");
    }
  }

  private void assertWorks(SqliteLockBackend backend) {
    assertThat(backend.acquire(KEY, id, Ttl.ofMillis(60_000), NEVER))
        .isInstanceOf(AcquireResult.Acquired.class);
    assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
  }
}
