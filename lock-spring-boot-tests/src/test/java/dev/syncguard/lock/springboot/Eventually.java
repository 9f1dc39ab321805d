package dev.syncguard.lock.springboot;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and servers do. */
final class Eventually {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Eventually() {}

  /** Returns as soon as the condition holds, and fails if it does not for a minute. */
  static void holds(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new AssertionError("This did not happen within " + PATIENCE);
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
