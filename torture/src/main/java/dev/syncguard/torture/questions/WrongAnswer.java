package dev.syncguard.torture.questions;

/** Says that a store answered against its promise. Its message says what it answered, and contains no key. */
final class WrongAnswer extends RuntimeException {

  private static final long serialVersionUID = 1L;

  WrongAnswer(String message) {
    super(message);
  }
}
