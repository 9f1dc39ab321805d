package dev.syncguard.lock.spi;

/**
 * The one rule by which every operation of every backend decides whether a lock is live.
 *
 * <p>A backend that decides inside its store builds the condition with {@link #inSql} or {@link #IN_LUA}; a source
 * check in {@code lock-testkit} fails on any other comparison of an expiry.
 */
public final class Liveness {

  /** How long after its expiry a lock still counts as live, so that clocks may disagree a little. */
  public static final long TIME_TOLERANCE_MS = 1000;

  /** How long after its expiry a lock may be cleaned away: late enough not to race with an extension. */
  public static final long CLEANUP_AFTER_MS = 2000;

  /** The rule as a Lua function {@code isLive(expiresAtMs, nowMs)}. */
  public static final String IN_LUA =
      "local function isLive(expiresAtMs, nowMs) return expiresAtMs > nowMs - " + TIME_TOLERANCE_MS
          + " end\n";

  /** {@link #isCleanable} as a Lua function {@code isCleanable(expiresAtMs, nowMs)}. */
  public static final String CLEANABLE_IN_LUA =
      "local function isCleanable(expiresAtMs, nowMs) return nowMs - expiresAtMs > "
          + CLEANUP_AFTER_MS + " end\n";

  private Liveness() {}

  /** Returns whether a lock with this expiry is live at this time, both read on the same clock. */
  public static boolean isLive(long expiresAtMs, long nowMs) {
    return isLive(expiresAtMs, nowMs, TIME_TOLERANCE_MS);
  }

  static boolean isLive(long expiresAtMs, long nowMs, long toleranceMs) {
    return expiresAtMs > nowMs - toleranceMs;
  }

  /** Returns the rule as an SQL condition over two expressions. */
  public static String inSql(String expiresAtMs, String nowMs) {
    return "(" + expiresAtMs + " > " + nowMs + " - " + TIME_TOLERANCE_MS + ")";
  }

  /** Returns whether a lock ended so long ago that it may be cleaned away. */
  public static boolean isCleanable(long expiresAtMs, long nowMs) {
    return nowMs - expiresAtMs > CLEANUP_AFTER_MS;
  }

  /** Returns {@link #isCleanable} as an SQL condition over two expressions. */
  public static String cleanableInSql(String expiresAtMs, String nowMs) {
    return "(" + nowMs + " - " + expiresAtMs + " > " + CLEANUP_AFTER_MS + ")";
  }
}
