package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

class PostgresErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "08000, SERVICE_UNAVAILABLE",
    "08001, SERVICE_UNAVAILABLE",
    "08003, SERVICE_UNAVAILABLE",
    "08004, SERVICE_UNAVAILABLE",
    "08006, SERVICE_UNAVAILABLE",
    "08007, SERVICE_UNAVAILABLE",
    "40001, SERVICE_UNAVAILABLE",
    "40P01, SERVICE_UNAVAILABLE",
    "40003, SERVICE_UNAVAILABLE",
    "57P01, SERVICE_UNAVAILABLE",
    "57P02, SERVICE_UNAVAILABLE",
    "57P03, SERVICE_UNAVAILABLE",
    "57P05, SERVICE_UNAVAILABLE",
    "25006, SERVICE_UNAVAILABLE",
    "25P03, SERVICE_UNAVAILABLE",
    "0A000, SERVICE_UNAVAILABLE",
    "08P01, SERVICE_UNAVAILABLE",
    "58030, SERVICE_UNAVAILABLE",
    "28000, AUTH_FAILED",
    "28P01, AUTH_FAILED",
    "42501, AUTH_FAILED",
    "22000, INVALID_ARGUMENT",
    "22001, INVALID_ARGUMENT",
    "22003, INVALID_ARGUMENT",
    "22021, INVALID_ARGUMENT",
    "22P02, INVALID_ARGUMENT",
    "23502, INVALID_ARGUMENT",
    "23503, INVALID_ARGUMENT",
    "23505, INVALID_ARGUMENT",
    "23514, INVALID_ARGUMENT",
    "42P01, INVALID_ARGUMENT",
    "42703, INVALID_ARGUMENT",
    "42883, INVALID_ARGUMENT",
    "3D000, INVALID_ARGUMENT",
    "3F000, INVALID_ARGUMENT",
    "53000, RATE_LIMITED",
    "53100, SERVICE_UNAVAILABLE",
    "53200, RATE_LIMITED",
    "53300, RATE_LIMITED",
    "53400, RATE_LIMITED",
    "57014, NETWORK_TIMEOUT",
    "55P03, NETWORK_TIMEOUT",
    "25P04, NETWORK_TIMEOUT",
    "SG001, INVALID_ARGUMENT",
    "SG002, INTERNAL",
    "SG003, INTERNAL",
    "XX000, INTERNAL",
    "P0001, INTERNAL"
  })
  void everyStateHasItsCode(String state, Code code) {
    assertThat(PostgresErrors.translate(new SQLException("secret", state)).code())
        .isEqualTo(code);
  }

  @Test
  void whatTheServerSaysIsNotRepeatedBecauseItMayQuoteAKey() {
    SQLException said = new SQLException("Key (lock_id)=(secret) already exists.", "23505");
    said.initCause(new IllegalStateException("secret"));
    for (Throwable each = PostgresErrors.translate(said); each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain("secret");
    }
  }

  @Test
  void theStackOfTheDriverIsKept() {
    SQLException said = new SQLException("x", "XX000");
    LockException translated = PostgresErrors.translate(said);
    assertThat(Objects.requireNonNull(translated.getCause()).getStackTrace())
        .isEqualTo(said.getStackTrace());
  }

  @Test
  void aConnectionThatWasRefusedAndOneThatDoesNotAnswerAreToldApart() {
    assertThat(PostgresErrors.translate(new SQLException("x", "08001", new ConnectException()))
            .code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(
            PostgresErrors.translate(new SQLException("x", "08006", new SocketTimeoutException()))
                .code())
        .isEqualTo(Code.NETWORK_TIMEOUT);
    assertThat(PostgresErrors.translate(new SQLTimeoutException("x")).code())
        .isEqualTo(Code.NETWORK_TIMEOUT);
  }

  @Test
  void whatIsBehindTheWordsOfAPoolCounts() {
    assertThat(
            PostgresErrors.translate(new SQLTransientConnectionException("x")).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(PostgresErrors.translate(
                new SQLTransientConnectionException("x", new SQLException("x", "28P01")))
            .code())
        .isEqualTo(Code.AUTH_FAILED);
  }

  @Test
  void anInterruptedThreadHearsOfTheInterruptAndNotOfThePool() {
    Thread.currentThread().interrupt();
    try {
      assertThat(PostgresErrors.translate(new SQLException("x", new InterruptedException()))
              .code())
          .isEqualTo(Code.ABORTED);
      assertThat(PostgresErrors.translate(new SQLException("x", "42501")).code())
          .isEqualTo(Code.AUTH_FAILED);
    } finally {
      Thread.interrupted();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "08006, true",
    "57P01, true",
    "58030, true",
    "99999, true",
    "XX000, true",
    "'', true",
    "0, false",
    "23505, false",
    "40001, false",
    "53300, false"
  })
  void aConnectionIsUsedAgainOnlyAfterAnErrorThatLeavesItWhole(String state, boolean breaks) {
    assertThat(PostgresErrors.mayBreakConnection(new SQLException("x", state))).isEqualTo(breaks);
    assertThat(PostgresErrors.mayBreakConnection(new SQLException("x"))).isTrue();
  }

  @Test
  void whatOurFunctionsAndTheServerSayOfTransactionsIsRead() {
    SQLException isolation = new SQLException("x", "SG001");
    SQLException inside = new SQLException("x", "25001");
    assertThat(PostgresErrors.isWrongIsolation(isolation)).isTrue();
    assertThat(PostgresErrors.isWrongIsolation(inside)).isFalse();
    assertThat(PostgresErrors.isInsideTransaction(inside)).isTrue();
    assertThat(PostgresErrors.isInsideTransaction(isolation)).isFalse();
    assertThat(PostgresErrors.standby().code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void whatIsWrongWithAnEncryptedConnectionIsAMatterOfRights() {
    assertNoAnswer(new FileNotFoundException("x"), "cannot be read");
    assertNoAnswer(
        new SSLHandshakeException("x").initCause(new CertificateException("x")), "not trusted");
    assertNoAnswer(new CertPathValidatorException("x"), "not trusted");
    assertNoAnswer(new SSLException("x"), "agreed upon");
  }

  private static void assertNoAnswer(Throwable cause, String hint) {
    LockException error = PostgresErrors.translate(new SQLException("x", "08006", cause));
    assertThat(error.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(error).hasMessageContaining(hint);
  }

  @Test
  void termsThatTheDriverRefusesAreToldFromAServerThatRefusesUs() {
    SQLException driver = new PSQLException("x", PSQLState.CONNECTION_REJECTED);
    assertThat(PostgresErrors.translate(driver).code()).isEqualTo(Code.AUTH_FAILED);
    SQLException server = new PSQLException(new ServerErrorMessage("SFATAL\0C08004\0Mx\0"));
    assertThat(PostgresErrors.translate(server).code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void theStateIsToldIfThereIsOne() {
    assertThat(PostgresErrors.translate(new SQLException("x", "53100")))
        .hasMessageEndingWith("(SQLSTATE 53100)");
    assertThat(PostgresErrors.translate(new SQLException("x"))).hasMessageNotContaining("SQLSTATE");
  }
}
