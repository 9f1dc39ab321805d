package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in tests for what happens by itself and tells nobody. */
public final class Patience {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Patience() {}

  /** Returns as soon as the condition holds, and fails if it never does. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline)
          .as("gave up waiting until " + what)
          .isNegative();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
