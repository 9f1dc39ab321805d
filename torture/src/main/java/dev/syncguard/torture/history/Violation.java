package dev.syncguard.torture.history;

/**
 * A promise that a history shows broken.
 *
 * @param kind which promise
 * @param key the key that it was made about
 * @param at when it was broken, on the clock of the events
 * @param text what happened, as a sentence
 */
public record Violation(Kind kind, String key, long at, String text) {

  /** The promises that are judged. */
  public enum Kind {
    /** Two leases of a key have the same fence. */
    REPEATED_FENCE("A fence was handed out twice"),
    /** A later lease has a lower fence. */
    FALLING_FENCE("Fences went down"),
    /** Fences grew by more than there were leases. */
    SKIPPED_FENCE("A fence was used up by nobody"),
    /** A holder was sure of its lease when the next one had already been granted. */
    OVERLAP("Two holders at the same time"),
    /** The next one was granted before the time was over that a lease had promised. */
    BROKEN_PROMISE("A lease promised more time than it had"),
    /** The store said that it ended a lease whose key somebody else had already got. */
    LATE_RELEASE("A release succeeded after the key had passed on"),
    /** The id of a lease that had ended still had an effect. */
    STRAY_SUCCESS("The id of an ended lease still worked"),
    /** The store told something else about a key than was the case. */
    WRONG_ANSWER("The store said what was not so"),
    /** A plain question, while nobody was hurt, was answered against the promise that it was about. */
    BROKEN_CONTRACT("A question was answered wrongly"),
    /** An error that no passing failure of a store may lead to. */
    WRONG_ERROR("An error that waiting does not mend"),
    /** A key that nobody held and that somebody waited for was not granted. */
    STUCK_KEY("A key stayed locked for too long"),
    /** A key was released, but the one who waited for it did not learn that. */
    LOST_WAKE_UP("A waiter was not woken");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Returns what is wrong, for people. */
    public String title() {
      return title;
    }
  }
}
