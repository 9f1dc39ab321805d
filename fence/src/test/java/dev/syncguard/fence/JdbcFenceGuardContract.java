package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.LateHolder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the guard for databases promises on each of them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class JdbcFenceGuardContract {

  private static final String KEY = "account:42";
  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);

  private TwoRows rows;
  private JdbcFenceGuard guard;

  /** Returns how an empty database is reached that other processes reach as well. */
  abstract String url();

  @BeforeEach
  void createTables() throws SQLException {
    rows = new TwoRows(url());
    rows.create();
    guard = TwoRows.guard(url());
    try (Connection connection = rows.source().getConnection()) {
      guard.setupSchema(connection);
      guard.setupSchema(connection);
    }
  }

  private void write(Fence fence, String text) throws SQLException {
    guard.write(KEY, fence, rows.source(), connection -> TwoRows.write(connection, text));
  }

  @Test
  void aHolderMayWriteMoreThanOnceAndTheNextOneAfterIt() throws Exception {
    write(FIRST, "one");
    write(FIRST, "two");
    assertThat(rows.read()).containsExactly("two", "two");
    write(SECOND, "three");
    assertThat(rows.read()).containsExactly("three", "three");
  }

  @Test
  void aLowerFenceIsRefusedAndChangesNothing() throws Exception {
    write(SECOND, "second");
    assertThatThrownBy(() -> write(FIRST, "late"))
        .isInstanceOfSatisfying(
            StaleFenceException.class, e -> assertThat(e.fence()).isEqualTo(FIRST))
        .hasMessageContaining("Nothing was written")
        .hasMessageNotContaining(KEY);
    assertThat(rows.read()).containsExactly("second", "second");
    write(SECOND, "again");
    assertThat(rows.read()).containsExactly("again", "again");
  }

  @Test
  void fencesAreComparedAsNumbersUpToTheLast() throws Exception {
    write(new Fence(9), "nine");
    write(new Fence(10), "ten");
    write(new Fence(Fence.MAX), "last");
    assertThatThrownBy(() -> write(new Fence(Fence.MAX - 1), "late"))
        .isInstanceOf(StaleFenceException.class);
    assertThat(rows.read()).containsExactly("last", "last");
  }

  @Test
  void resourcesHaveNothingToDoWithOneAnotherHoweverAlikeTheyLook() throws Exception {
    for (String resource : List.of("a", "A", "a ", " a", "ä", "Ä", "a%", "x".repeat(512))) {
      guard.write(resource, SECOND, rows.source(), connection -> {});
      assertThatThrownBy(() -> guard.write(resource, FIRST, rows.source(), connection -> {}))
          .as("'%s'", resource)
          .isInstanceOf(StaleFenceException.class);
    }
    guard.write("b", FIRST, rows.source(), connection -> {});
    guard.write("B", FIRST, rows.source(), connection -> {});
  }

  /** Some languages know no checked exceptions, so any may come through. A pool lends the connection again. */
  @Test
  void whateverTheWorkThrowsTheConnectionIsLeftAsItWas() throws Exception {
    try (Connection kept = rows.source().getConnection()) {
      DataSource pool = LentAgain.lending(kept);
      for (Throwable thrown :
          List.of(new Exception(), new SQLException(), new StackOverflowError())) {
        assertThatThrownBy(() -> guard.write(KEY, SECOND, pool, connection -> {
              TwoRows.write(connection, "half");
              JdbcFenceGuardContract.<RuntimeException>sneak(thrown);
            }))
            .isSameAs(thrown);
        assertThat(kept.getAutoCommit()).as("ready for the next who borrows it").isTrue();
      }
    }
    write(FIRST, "first");
    assertThat(rows.read()).containsExactly("first", "first");
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void sneak(Throwable any) throws X {
    throw (X) any;
  }

  @Test
  void whatIsRolledBackRaisesNoFence() throws Exception {
    assertThatThrownBy(() -> guard.write(KEY, SECOND, rows.source(), connection -> {
          TwoRows.write(connection, "half");
          throw new SQLException("something else went wrong");
        }))
        .isInstanceOf(SQLException.class);
    write(FIRST, "first");
    assertThat(rows.read()).containsExactly("first", "first");
  }

  @Test
  void aConnectionThatCommitsEveryStatementIsRefused() throws Exception {
    try (Connection connection = rows.source().getConnection()) {
      assertThatThrownBy(() -> guard.check(connection, KEY, FIRST))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void aNameThatNoStoreCouldKeepIsRefusedBeforeAnythingIsAsked() throws Exception {
    try (Connection connection = rows.source().getConnection()) {
      connection.setAutoCommit(false);
      for (String bad : List.of("", "a\0b", "x".repeat(513), "\ud800")) {
        assertThatThrownBy(() -> guard.check(connection, bad, FIRST))
            .isInstanceOfSatisfying(
                LockException.class,
                e -> assertThat(e.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT));
      }
    }
  }

  @Test
  void itIsOneLineWithALockAndALostLeaseIsRefusedBeforeTheDatabaseIsAsked() throws Exception {
    DataSource database = rows.source();
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks.lock(KEY).run(lease -> guard.write(lease, database, tx -> TwoRows.write(tx, "held")));
      assertThat(rows.read()).containsExactly("held", "held");

      Lease lost = locks.lock(KEY).acquire();
      lost.release();
      assertThatThrownBy(() -> guard.write(lost, Unreachable.database(), connection -> {}))
          .isInstanceOf(LeaseLostException.class);
      assertThatThrownBy(() -> guard.check(Unreachable.connection(), lost))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void whoeverComesLaterWaitsUntilTheTransactionEnds() throws Exception {
    try (Connection first = rows.source().getConnection()) {
      first.setAutoCommit(false);
      guard.check(first, KEY, FIRST);
      TwoRows.write(first, "first");
      CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
        try {
          write(SECOND, "second");
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      });
      assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      first.commit();
      second.get(1, TimeUnit.MINUTES);
    }
    assertThat(rows.read()).containsExactly("second", "second");
    assertThatThrownBy(() -> write(FIRST, "late")).isInstanceOf(StaleFenceException.class);
  }

  @Test
  void whoeverComesLateIsRefusedAlsoIfItHadToWaitForTheFirstRowEver() throws Exception {
    try (Connection second = rows.source().getConnection()) {
      second.setAutoCommit(false);
      guard.check(second, KEY, SECOND);
      TwoRows.write(second, "second");
      CompletableFuture<Throwable> late = CompletableFuture.supplyAsync(() -> {
        try {
          write(FIRST, "late");
          return new AssertionError("it was let in");
        } catch (SQLException | StaleFenceException e) {
          return e;
        }
      });
      assertThatThrownBy(() -> late.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      second.commit();
      assertThat(late.get(1, TimeUnit.MINUTES)).isInstanceOf(StaleFenceException.class);
    }
    assertThat(rows.read()).containsExactly("second", "second");
  }

  @Test
  void aHolderThatWasStoppedBeyondItsTtlIsRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(file);
        ChildJvm holder = ChildJvm.run(JdbcHolder.class, url(), file, KEY)) {
      assertThat(LateHolder.stopBeyondItsTtl(
              holder,
              backend,
              KEY,
              lease -> guard.write(lease, rows.source(), tx -> TwoRows.write(tx, "second"))))
          .containsExactly("LeaseLostException", "StaleFenceException");
    }
    assertThat(rows.read()).containsExactly("second", "second");
  }
}
