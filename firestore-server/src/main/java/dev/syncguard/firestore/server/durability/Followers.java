package dev.syncguard.firestore.server.durability;

/** Those who are told of commits and must be told again after a restart of what they had not taken. Thread-safe. */
@FunctionalInterface
public interface Followers {
  /** There are none. */
  Followers NONE = () -> Long.MAX_VALUE;

  /** Returns the time in microseconds up to which all of them have taken every commit, for good. */
  long followedUntil();
}
