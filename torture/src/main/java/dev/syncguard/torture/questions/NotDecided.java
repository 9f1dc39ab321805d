package dev.syncguard.torture.questions;

/** Says that a question has no answer here: the store does not offer what it is about, or somebody was too slow. */
final class NotDecided extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean worthAnotherTry;

  private NotDecided(String message, boolean worthAnotherTry) {
    super(message);
    this.worthAnotherTry = worthAnotherTry;
  }

  /** The store promises nothing about it. */
  static NotDecided notOffered(String why) {
    return new NotDecided(why, false);
  }

  /** The machine or the store took so long that any answer would have been right. */
  static NotDecided tooSlow() {
    return new NotDecided("the answers came too late to prove anything", true);
  }

  boolean isWorthAnotherTry() {
    return worthAnotherTry;
  }
}
