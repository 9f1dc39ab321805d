package dev.syncguard.sync.engine;

import dev.syncguard.sync.Random;

/** Pauses that grow from one failure to the next, with up to a fifth of chance on top, and stay at the last. */
final class Ladder {

  private final long[] steps;
  private final Random random;
  private int failures;

  Ladder(Random random, long... steps) {
    this.random = random;
    this.steps = steps;
  }

  /** Returns the pause after one more failure. */
  long next() {
    long step = steps[Math.min(failures, steps.length - 1)];
    failures++;
    return step + random.below((int) (step / 5) + 1);
  }

  int failures() {
    return failures;
  }

  void reset() {
    failures = 0;
  }
}
