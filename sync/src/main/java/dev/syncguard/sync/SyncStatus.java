package dev.syncguard.sync;

/**
 * How sync is doing, in one line.
 *
 * @param kind what a program can act on
 * @param text what a person reads
 * @param hint a further sentence for a tooltip, or an empty string
 */
public record SyncStatus(Kind kind, String text, String hint) {

  /** The situations, from the one that hides all others to the normal one. */
  public enum Kind {
    OFF,
    BLOCKED,
    IDENTITY_DENIED,
    RESET_PENDING,
    OTHER_USER,
    ANONYMOUS,
    UNAVAILABLE,
    REMOTE_INVALID,
    CLIENT_ERROR,
    READ_ONLY,
    PUSH_DISABLED,
    QUOTA_LIMITED,
    BUDGET_LIMITED,
    NO_DATABASE,
    TOO_LARGE,
    OFFLINE,
    BUSY,
    STARTING,
    SYNCING,
    MARKS_CLEARED,
    OK
  }
}
