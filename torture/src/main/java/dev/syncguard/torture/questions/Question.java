package dev.syncguard.torture.questions;

/**
 * A promise of {@link dev.syncguard.lock.spi.LockBackend} that can be tried with a few calls.
 *
 * @param promise what is promised, as a sentence
 * @param script tries it, and throws {@link WrongAnswer} if it was broken
 */
record Question(String promise, Script script) {

  /** What is asked, one call after the other. */
  @FunctionalInterface
  interface Script {
    void ask(Subject store);
  }
}
