package dev.syncguard.torture.questions;

/**
 * What a store made of a question.
 *
 * @param promise what was asked about, as a sentence
 * @param verdict whether the promise was kept
 * @param key the key that it was asked with, if the promise was broken
 * @param told what the store said instead, or why nothing is known
 */
public record Answer(String promise, Verdict verdict, String key, String told) {

  /** Whether a promise was kept. */
  public enum Verdict {
    /** It was. */
    KEPT,
    /** It was not. */
    BROKEN,
    /** Nobody knows: the store promises nothing of the kind, or no answer came in time. */
    OPEN
  }

  static Answer right(String promise) {
    return new Answer(promise, Verdict.KEPT, "", "");
  }

  static Answer wrong(String promise, String key, String told) {
    return new Answer(promise, Verdict.BROKEN, key, told);
  }

  static Answer none(String promise, String why) {
    return new Answer(promise, Verdict.OPEN, "", why);
  }
}
