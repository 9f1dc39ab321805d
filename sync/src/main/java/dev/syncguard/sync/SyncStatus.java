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
    /** The reader has switched sync off. */
    OFF,
    /** The browser lets no request through, and never has. */
    BLOCKED,
    /** The forum does not show where the reader's secret is kept. */
    IDENTITY_DENIED,
    /** A reset has waited for more than a day for the reader to be known again. */
    RESET_PENDING,
    /** The state of this device has become somebody else's since the page was loaded. */
    OTHER_USER,
    /** Nobody is logged in to the forum. */
    ANONYMOUS,
    /** There is no configuration, no identity or no secret, or the rules forbid reading. */
    UNAVAILABLE,
    /** The remote document is broken; nothing is written until it is reset. */
    REMOTE_INVALID,
    /** The server does not understand this program. */
    CLIENT_ERROR,
    /** The remote document belongs to a newer version of this program. */
    READ_ONLY,
    /** The rules forbid writing. */
    PUSH_DISABLED,
    /** The server's quota is used up; sync waits. */
    QUOTA_LIMITED,
    /** This device has spent most or all of what it allows itself in a day. */
    BUDGET_LIMITED,
    /** The project has no Firestore database. */
    NO_DATABASE,
    /** The server refuses the document as too large. */
    TOO_LARGE,
    /** The server cannot be reached; sync tries again. */
    OFFLINE,
    /** Other devices keep writing at the same time; sync tries again. */
    BUSY,
    /** Nothing has been read yet. */
    STARTING,
    /** A read or a write is under way or due. */
    SYNCING,
    /** All is well, but read marks had to be given up to make room. */
    MARKS_CLEARED,
    /** What is here is what is stored. */
    OK
  }
}
