package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.io.FileNotFoundException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Turns what JDBC and PostgreSQL report into what a caller can act on. Nothing else reads an SQLSTATE.
 *
 * <p>What the server says may quote a key or a lock id, so only its SQLSTATE is passed on.
 */
final class PostgresErrors {

  /** Raised by our functions: the transaction is not READ COMMITTED. */
  static final String WRONG_ISOLATION = "SG001";

  /** Raised by our functions: the last fence of a key was handed out. */
  static final String NO_FENCE_LEFT = "SG002";

  /** Raised by our functions: the fence counter of a key is below zero. */
  static final String DAMAGED_FENCE = "SG003";

  /** What the driver says when it fails for no reason of its own, such as an interrupt while it connects. */
  private static final String DRIVER_FAILED = "99999";

  private static final String STANDBY =
      "This server is a standby, or was made read-only; locks need the primary: connect to it,"
          + " or name all hosts in the URL";

  /** Connection, operator intervention, system and internal errors. */
  private static final Set<String> BREAKING = Set.of("08", "57", "58", "99", "XX");

  private PostgresErrors() {}

  static boolean isWrongIsolation(SQLException e) {
    return WRONG_ISOLATION.equals(e.getSQLState());
  }

  static boolean isInsideTransaction(SQLException e) {
    return "25001".equals(e.getSQLState());
  }

  /** Returns whether the connection on which this happened should not be used again. */
  static boolean mayBreakConnection(SQLException e) {
    String state = stateOf(e);
    return state.isEmpty() || BREAKING.contains(state.substring(0, Math.min(2, state.length())));
  }

  /** Says that locks cannot be taken at this server. */
  static LockException standby() {
    return new LockException(Code.SERVICE_UNAVAILABLE, STANDBY);
  }

  static LockException translate(SQLException e) {
    String state = stateOf(e);
    if (Thread.currentThread().isInterrupted()
        && (state.isEmpty() || state.equals(DRIVER_FAILED) || isAboutTheConnection(e, state))) {
      return error(Code.ABORTED, "The thread was interrupted while it used the database", e, state);
    }
    return switch (state) {
      case NO_FENCE_LEFT ->
        error(
            Code.INTERNAL,
            "The fence counter of this key is used up (" + Fence.MAX
                + "); continue under a new key",
            e,
            state);
      case DAMAGED_FENCE ->
        error(Code.INTERNAL, "A fence starts at 1, so the stored counter is damaged", e, state);
      case WRONG_ISOLATION ->
        error(
            Code.INVALID_ARGUMENT,
            "The DataSource insists on an isolation level other than READ COMMITTED; give the"
                + " locks a DataSource that lets them set it",
            e,
            state);
      case "23505" ->
        error(
            Code.INVALID_ARGUMENT,
            "This lock id already belongs to a lease on another key; make a new id for each lease",
            e,
            state);
      case "42P01", "42703", "42883", "3F000" ->
        error(
            Code.INVALID_ARGUMENT,
            "The tables and functions of the lock store are not there, or of another version; run"
                + " setupSchema() once, or let a DBA run what printSchema() returns",
            e,
            state);
      case "3D000" ->
        error(Code.INVALID_ARGUMENT, "This database does not exist on the server", e, state);
      case "42501" ->
        error(
            Code.AUTH_FAILED,
            "The database role may not do this to the lock tables; grant it what printSchema()"
                + " lists",
            e,
            state);
      // A standby has no unlogged tables, and the waiters' is one.
      case "25006", "0A000" ->
        new LockException(Code.SERVICE_UNAVAILABLE, STANDBY, cause(e, state));
      case "53100" ->
        error(
            Code.SERVICE_UNAVAILABLE,
            "The database has no room left on its disk; nothing was changed. Free some space",
            e,
            state);
      case "28P01" ->
        error(Code.AUTH_FAILED, "The database does not accept this user and password", e, state);
      case "28000" ->
        error(
            Code.AUTH_FAILED,
            "The server does not let this user in from here (see its pg_hba.conf); if it wants"
                + " encryption, set sslmode=require or better",
            e,
            state);
      case "08P01" ->
        error(
            Code.SERVICE_UNAVAILABLE,
            "What answers at this address does not speak PostgreSQL's protocol; check host and"
                + " port, and whether a proxy there expects TLS from the first byte",
            e,
            state);
      case "55P03" ->
        error(
            Code.NETWORK_TIMEOUT,
            "Another session kept this lock's row or advisory lock for too long; nothing was"
                + " changed. Try again, and look for a transaction that was left open",
            e,
            state);
      case "57014", "25P04" ->
        error(Code.NETWORK_TIMEOUT, "The database ended the call, which took too long", e, state);
      default -> byClass(e, state);
    };
  }

  private static LockException byClass(SQLException e, String state) {
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "08" -> noAnswer(e, state);
      case "28" ->
        error(Code.AUTH_FAILED, "The database does not accept these credentials", e, state);
      case "22", "23", "42" ->
        error(Code.INVALID_ARGUMENT, "The database turned the request away", e, state);
      case "40" ->
        error(Code.SERVICE_UNAVAILABLE, "The database could not decide a conflict", e, state);
      case "53" ->
        error(
            Code.RATE_LIMITED,
            "The database is out of connections or memory; try again later",
            e,
            state);
      case "57", "58", "25" ->
        error(
            Code.SERVICE_UNAVAILABLE,
            "The database is stopping, starting or in trouble; try again",
            e,
            state);
      default ->
        isAboutTheConnection(e, state)
            ? noAnswer(e, state)
            : error(Code.INTERNAL, "The database gave an unexpected answer", e, state);
    };
  }

  private static LockException noAnswer(SQLException e, String state) {
    if (isCausedBy(e, FileNotFoundException.class)) {
      return error(
          Code.AUTH_FAILED,
          "A file of the encrypted connection cannot be read; check sslrootcert, sslcert and sslkey",
          e,
          state);
    }
    if (isCausedBy(e, CertificateException.class)
        || isCausedBy(e, CertPathValidatorException.class)) {
      return error(
          Code.AUTH_FAILED,
          "The server's certificate is not trusted; name the certificate of its authority in"
              + " sslrootcert, and check that host and certificate belong together",
          e,
          state);
    }
    if (isCausedBy(e, SSLException.class)) {
      return error(
          Code.AUTH_FAILED,
          "No encrypted connection could be agreed upon; check sslmode, sslcert and sslkey",
          e,
          state);
    }
    if (state.equals("08004") && isTheDriversOwn(e)) {
      return error(
          Code.AUTH_FAILED,
          "The server's terms cannot be met: it wants a password and there is none, or does not"
              + " offer the encryption that sslmode asks for",
          e,
          state);
    }
    return e instanceof SQLTimeoutException || isCausedBy(e, SocketTimeoutException.class)
        ? error(Code.NETWORK_TIMEOUT, "The database did not answer in time", e, state)
        : error(
            Code.SERVICE_UNAVAILABLE,
            "There is no connection to the database; check that it runs and that the pool is large"
                + " enough, then try again",
            e,
            state);
  }

  private static boolean isAboutTheConnection(SQLException e, String state) {
    return state.startsWith("08")
        || e instanceof SQLTimeoutException
        || e instanceof SQLTransientConnectionException;
  }

  private static boolean isCausedBy(SQLException e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether no server said so. */
  private static boolean isTheDriversOwn(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException told && told.getServerErrorMessage() == null) {
        return true;
      }
    }
    return false;
  }

  /** A pool that could not connect says so in its own words; what the server answered is behind them. */
  private static String stateOf(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      @Nullable String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
      if (state != null) {
        return state;
      }
    }
    return "";
  }

  private static LockException error(Code code, String message, SQLException e, String state) {
    return new LockException(code, message + told(state), cause(e, state));
  }

  private static SQLException cause(SQLException e, String state) {
    SQLException cause = new SQLException(e.getClass().getSimpleName() + told(state), state);
    cause.setStackTrace(e.getStackTrace());
    return cause;
  }

  private static String told(String state) {
    return state.isEmpty() ? "" : " (SQLSTATE " + state + ")";
  }
}
