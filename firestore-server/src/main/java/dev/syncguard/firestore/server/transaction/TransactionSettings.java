package dev.syncguard.firestore.server.transaction;

import java.time.Duration;

/** How long things may take: waiting for a lock, doing nothing in a transaction, and a transaction as a whole. */
public record TransactionSettings(
    Concurrency concurrency, Duration lockTimeout, Duration idleTimeout, Duration totalTimeout) {
  /** Pessimistic; 2, 60 and 270 seconds, as documented or measured of Firestore and its emulator. */
  public static final TransactionSettings DEFAULT = new TransactionSettings(
      Concurrency.PESSIMISTIC,
      Duration.ofSeconds(2),
      Duration.ofSeconds(60),
      Duration.ofSeconds(270));

  public TransactionSettings {
    if (lockTimeout.isNegative()
        || lockTimeout.isZero()
        || idleTimeout.isNegative()
        || totalTimeout.isNegative()) {
      throw new IllegalArgumentException("The timeouts of transactions must be positive");
    }
  }
}
