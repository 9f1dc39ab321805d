package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresNamesTest {

  private static void assertRefused(Runnable call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::run);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1locks",
        "a.b",
        "a b",
        "a-b",
        "lock\u00e9",
        "x\"; DROP TABLE y; --",
        "locks\n",
        "a123456789b123456789c123456789d123456789e123456789f123456789abcd"
      })
  void onlyPlainWordsAreNames(String name) {
    assertRefused(() -> new PostgresNames(Optional.empty(), name, "fences"));
    assertRefused(() -> new PostgresNames(Optional.empty(), "locks", name));
    assertRefused(() -> new PostgresNames(Optional.of(name), "locks", "fences"));
  }

  @ParameterizedTest
  @CsvSource({"locks, locks", "locks, LOCKS", "locks, locks_waiters", "LOCKS, locks_Waiters"})
  void tablesNeedNamesThatDifferInMoreThanCase(String locks, String fences) {
    assertRefused(() -> new PostgresNames(Optional.empty(), locks, fences));
  }

  @Test
  void noNameIsCutOffByTheServer() {
    PostgresNames longest = new PostgresNames(Optional.empty(), "x".repeat(46), "fences");
    assertThat(longest.functionName("first_in_line")).hasSizeLessThanOrEqualTo(63);
    assertThat(longest.index("lock_id")).hasSizeLessThanOrEqualTo(65);
    assertRefused(() -> new PostgresNames(Optional.empty(), "x".repeat(47), "fences"));
  }

  @Test
  void namesAreQuotedAndQualified() {
    PostgresNames names = new PostgresNames(Optional.of("Guard"), "Locks", "select");
    assertThat(names.locksTable()).isEqualTo("\"Guard\".\"Locks\"");
    assertThat(names.fencesTable()).isEqualTo("\"Guard\".\"select\"");
    assertThat(names.index("lock_id")).isEqualTo("\"idx_Locks_lock_id\"");
    assertThat(PostgresNames.STANDARD.locksTable()).isEqualTo("\"syncguard_locks\"");
  }
}
