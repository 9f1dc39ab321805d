package dev.syncguard.torture.questions;

/**
 * What a store promises beyond what all do.
 *
 * @param keepsNotes whether it keeps what holders say about themselves
 * @param servesInOrder whether those in line are served in the order in which they came
 * @param tellsEnded whether it says of a lease that ended by itself that it has ended, until it is cleaned away
 * @param closes whether a backend that was closed refuses everything
 */
public record Promises(
    boolean keepsNotes, boolean servesInOrder, boolean tellsEnded, boolean closes) {

  /** Returns what the backend with this name promises; of one that is not ours, nothing is known. */
  public static Promises of(String backend) {
    return switch (backend) {
      case "sqlite", "postgres" -> new Promises(true, true, true, true);
      case "redis" -> new Promises(true, true, false, true);
      case "firestore" -> new Promises(true, false, true, true);
      default -> new Promises(false, false, false, false);
    };
  }
}
