package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written, how safely, and what happens when the disk is full. */
class SqliteStoreTest {

  private static final String SYNCHRONOUS = "PRAGMA synchronous";
  private static final long FULL = 2;
  private static final long NORMAL = 1;

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path file = directory.path().resolve("locks.db");
  private final SqliteStore store =
      new SqliteStore(new SqliteFile(file, Duration.ofSeconds(5)), Duration.ofSeconds(5));
  private final SqliteSql sql = new SqliteSql(SqliteSql.SYSTEM_CLOCK);

  @AfterEach
  void tidyUp() {
    store.close();
    directory.close();
  }

  private Waiting interruptibly() {
    return store.interruptibly(Cancellation.none());
  }

  @Test
  void onlyWhatMustSurviveALossOfPowerWaitsForTheDisk() {
    for (int round = 0; round < 2; round++) {
      assertThat(store.writeDurably(interruptibly(), SYNCHRONOUS, row -> row.getLong(1)))
          .containsExactly(FULL);
      assertThat(store.write(interruptibly(), SYNCHRONOUS, row -> row.getLong(1)))
          .containsExactly(NORMAL);
    }
    assertThat(store.read(interruptibly(), "PRAGMA journal_mode", row -> row.getString(1)))
        .containsExactly("wal");
  }

  @Test
  void theClockCountsMilliseconds() {
    long before = System.currentTimeMillis();
    long read = store
        .read(interruptibly(), "SELECT " + SqliteSql.SYSTEM_CLOCK, row -> row.getLong(1))
        .get(0);
    assertThat(read).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void aFullDiskIsReportedAndLeavesTheFileSound() {
    store.write(interruptibly(), "PRAGMA max_page_count = 12", row -> true);
    int granted = 0;
    LockException refusal = null;
    while (refusal == null) {
      int number = granted;
      refusal = catchThrowableOfType(LockException.class, () -> take(number));
      granted += refusal == null ? 1 : 0;
    }
    assertThat(refusal.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("free some space");
    assertThat(granted).isPositive();
    assertThat(RawSqlite.number(file, "SELECT count(*) FROM locks")).isEqualTo(granted);
    assertThat(RawSqlite.text(file, "PRAGMA integrity_check")).isEqualTo("ok");

    store.write(interruptibly(), "PRAGMA max_page_count = 1000", row -> true);
    assertThat(take(granted)).containsExactly(1L);
  }

  private List<Long> take(int number) {
    String key = "a key that takes its room ".repeat(15) + number;
    String id = "%022d".formatted(number);
    return store.writeDurably(
        interruptibly(), sql.acquire, row -> row.getLong(1), key, id, 60_000L);
  }
}
