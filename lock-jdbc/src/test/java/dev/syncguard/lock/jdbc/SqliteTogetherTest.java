package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for the file have their changes made together, each with its own answer. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SqliteTogetherTest {

  private static final Ttl LONG = Ttl.ofMillis(600_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path file = directory.path().resolve("locks.db");
  private final SqliteLockBackend backend =
      SqliteLockBackend.builder(file).busyTimeout(Duration.ofMinutes(1)).build();
  private final SecureRandom random = new SecureRandom();

  @AfterEach
  void tidyUp() {
    backend.close();
    directory.close();
  }

  private LockId newId() {
    return LockId.random(random);
  }

  private AcquireResult take(String key, LockId id) {
    return backend.acquire(LockKey.of(key), id, LONG, NEVER);
  }

  /** What one thread does, which waits for the file until it may. */
  private record Call<T>(Thread thread, FutureTask<T> result) {
    static <T> Call<T> waiting(Callable<T> work) throws InterruptedException {
      FutureTask<T> result = new FutureTask<>(work);
      Thread thread = new Thread(result);
      thread.start();
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        assertThat(thread.isAlive()).isTrue();
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return new Call<>(thread, result);
    }

    T get() throws Exception {
      return result.get(1, TimeUnit.MINUTES);
    }

    LockException refusal() throws Exception {
      ExecutionException refused = catchThrowableOfType(ExecutionException.class, this::get);
      return (LockException) Objects.requireNonNull(refused.getCause());
    }
  }

  private interface Meanwhile {
    void run() throws Exception;
  }

  /** Keeps the file to another connection meanwhile. */
  private void whileTheFileIsInUse(Meanwhile meanwhile) throws Exception {
    try (Connection other = RawSqlite.connect(file);
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      meanwhile.run();
    }
  }

  @Test
  void allThatWaitAreCommittedTogetherAndEachGetsItsOwnAnswer() throws Exception {
    LockId held = newId();
    take("held", held);
    List<Call<AcquireResult>> grants = new ArrayList<>();
    List<Call<AcquireResult>> refusals = new ArrayList<>();
    List<Call<ReleaseResult>> releases = new ArrayList<>();
    int before = commits();
    whileTheFileIsInUse(() -> {
      // The first waits for the file, all others for the first.
      for (int i = 0; i < 16; i++) {
        String key = "free:" + i;
        grants.add(Call.waiting(() -> take(key, newId())));
      }
      refusals.add(Call.waiting(() -> take("held", newId())));
      releases.add(Call.waiting(() -> backend.release(held, NEVER)));
      releases.add(Call.waiting(() -> backend.release(newId(), NEVER)));
      grants.add(Call.waiting(() -> take("held", newId())));
    });
    for (Call<AcquireResult> grant : grants) {
      assertThat(grant.get()).isInstanceOf(AcquireResult.Acquired.class);
    }
    assertThat(refusals.get(0).get()).isInstanceOf(AcquireResult.Contended.class);
    assertThat(releases.get(0).get()).isInstanceOf(ReleaseResult.Released.class);
    assertThat(releases.get(1).get()).isInstanceOf(ReleaseResult.Absent.class);
    assertThat(((AcquireResult.Acquired) grants.get(16).get()).fence().value()).isEqualTo(2);
    assertThat(commits() - before).as("one alone, and all others together").isEqualTo(2);
  }

  /** Counts the frames of the write-ahead log that end a transaction, as SQLite's file format describes them. */
  private int commits() throws IOException {
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(Path.of(file + "-wal")));
    int frame = 24 + log.getInt(8);
    int commits = 0;
    for (int at = 32; at + frame <= log.limit(); at += frame) {
      boolean isOfThisLog = log.getLong(at + 8) == log.getLong(16);
      commits += isOfThisLog && log.getInt(at + 4) != 0 ? 1 : 0;
    }
    return commits;
  }

  @Test
  void anErrorOfOneIsNotAnErrorOfTheOthers() throws Exception {
    LockId inUse = newId();
    take("held", inUse);
    take("used up", newId());
    RawSqlite.execute(
        file,
        "UPDATE locks SET fence = " + Fence.MAX + ", expires_at_ms = 0 WHERE key = 'used up'");
    List<Call<AcquireResult>> calls = new ArrayList<>();
    whileTheFileIsInUse(() -> {
      calls.add(Call.waiting(() -> take("free:0", newId())));
      calls.add(Call.waiting(() -> take("free:1", newId())));
      calls.add(Call.waiting(() -> take("used up", newId())));
      calls.add(Call.waiting(() -> take("free:2", inUse)));
      calls.add(Call.waiting(() -> take("free:3", newId())));
    });
    for (int i : List.of(0, 1, 4)) {
      assertThat(calls.get(i).get()).isInstanceOf(AcquireResult.Acquired.class);
    }
    assertThat(calls.get(2).refusal().code()).isEqualTo(Code.INTERNAL);
    assertThat(calls.get(2).refusal()).hasMessageContaining("used up");
    assertThat(calls.get(3).refusal().code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(RawSqlite.number(file, "SELECT count(*) FROM locks WHERE key = 'free:2'"))
        .isZero();
    assertThat(RawSqlite.number(file, "SELECT count(*) FROM locks WHERE key LIKE 'free:%'"))
        .isEqualTo(3);
  }

  @Test
  void whatFailsForAllIsTriedForEachAlone() throws Exception {
    take("damaged", newId());
    take("sound", newId());
    // Only this row raises an error that undoes the whole transaction.
    RawSqlite.execute(
        file,
        "CREATE TRIGGER damage BEFORE INSERT ON locks WHEN NEW.key = 'damaged'"
            + " BEGIN SELECT RAISE(ROLLBACK, 'damaged'); END");
    List<Call<AcquireResult>> calls = new ArrayList<>();
    whileTheFileIsInUse(() -> {
      for (String key : List.of("first", "second", "damaged", "third")) {
        calls.add(Call.waiting(() -> take(key, newId())));
      }
    });
    assertThat(calls.get(2).refusal()).isNotNull();
    for (int i : List.of(0, 1, 3)) {
      assertThat(((AcquireResult.Acquired) calls.get(i).get()).fence().value()).isEqualTo(1);
    }
    assertThat(RawSqlite.number(
            file, "SELECT count(*) FROM locks WHERE key IN ('first', 'second', 'third')"))
        .isEqualTo(3);
  }

  @Test
  void whoGivesUpBeforeItsChangeIsMadeLeavesNothingBehindAndHoldsUpNobody() throws Exception {
    Cancellation cancellation = Cancellation.create();
    List<Call<AcquireResult>> calls = new ArrayList<>();
    whileTheFileIsInUse(() -> {
      for (int i = 0; i < 6; i++) {
        LockKey key = LockKey.of("key:" + i);
        Cancellation each = i % 3 == 0 ? cancellation : NEVER;
        calls.add(Call.waiting(() -> backend.acquire(key, newId(), LONG, each)));
      }
      cancellation.cancel();
      calls.get(1).thread().interrupt();
      // The first of them, who waited for the file, is among those who give up.
      for (int i : List.of(0, 1, 3)) {
        assertThat(calls.get(i).refusal().code()).isEqualTo(Code.ABORTED);
      }
    });
    for (int i : List.of(2, 4, 5)) {
      assertThat(calls.get(i).get()).isInstanceOf(AcquireResult.Acquired.class);
    }
    assertThat(RawSqlite.number(file, "SELECT count(*) FROM locks")).isEqualTo(3);
  }

  @Test
  void aBackendThatIsClosedRefusesThoseWhoWaited() throws Exception {
    List<Call<AcquireResult>> calls = new ArrayList<>();
    whileTheFileIsInUse(() -> {
      calls.add(Call.waiting(() -> take("first", newId())));
      Thread close = new Thread(backend::close);
      close.start();
      while (close.getState() != Thread.State.WAITING) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      calls.add(Call.waiting(() -> take("second", newId())));
      calls.add(Call.waiting(() -> take("third", newId())));
    });
    assertThat(calls.get(0).get()).isInstanceOf(AcquireResult.Acquired.class);
    for (int i : List.of(1, 2)) {
      assertThat(calls.get(i).refusal()).hasMessageContaining("closed");
    }
  }
}
