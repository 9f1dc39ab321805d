package dev.syncguard.torture;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Where workers come from. Thread-safe. */
public interface Crew extends AutoCloseable {

  /** Returns what can be done to its members. */
  Set<FaultKind> supported();

  /** Returns what cannot be done, and why, for people. */
  Map<FaultKind, String> notTried();

  /** Starts a worker whose clock is off by so much, zero for most. */
  Member start(Task task, Duration clockOffset, Ledger ledger);

  /** Ends whatever is left of it. */
  @Override
  void close();

  /** A worker as long as it lives. */
  interface Member {

    /** Waits until it takes locks, and throws {@link dev.syncguard.lock.LockException} if it cannot. */
    default void awaitReady() {}

    /** Returns whether it has had an answer from the store, has died, or has had long enough. */
    default boolean isAtWork() {
      return true;
    }

    /** Waits until then. */
    default void awaitAnswer() {}

    /** Does something to the worker and returns at once; it is over after the length of the fault. */
    void inflict(Fault fault);

    /** Kills it, and returns when it is dead. */
    void kill();

    /** Lets it end in peace, and returns when it has. */
    void end();

    /** Returns whether it still runs. */
    boolean isAlive();
  }
}
