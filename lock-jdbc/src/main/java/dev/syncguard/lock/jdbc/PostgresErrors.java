package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

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

  private PostgresErrors() {}

  static boolean isWrongIsolation(SQLException e) {
    return WRONG_ISOLATION.equals(e.getSQLState());
  }

  static boolean isInsideTransaction(SQLException e) {
    return "25001".equals(e.getSQLState());
  }

  static LockException translate(SQLException e) {
    String state = stateOf(e);
    if (Thread.currentThread().isInterrupted()
        && (state.isEmpty() || isAboutTheConnection(e, state))) {
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
      case "25006" ->
        error(
            Code.SERVICE_UNAVAILABLE,
            "The database is read-only here, most likely a replica; connect to the primary",
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
            "The database is out of connections, memory or disk space; try again later",
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
    return e instanceof SQLTimeoutException || isCausedByTimeout(e)
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

  private static boolean isCausedByTimeout(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
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
    String told = state.isEmpty() ? "" : " (SQLSTATE " + state + ")";
    SQLException cause = new SQLException(e.getClass().getSimpleName() + told, state);
    cause.setStackTrace(e.getStackTrace());
    return new LockException(code, message + told, cause);
  }
}
