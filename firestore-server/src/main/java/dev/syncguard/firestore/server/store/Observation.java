package dev.syncguard.firestore.server.store;

import java.util.Set;

/** A subscription to commits. At first it is to nothing. Thread-safe. */
public interface Observation extends AutoCloseable {
  /**
   * Says what to be told of from now on, instead of what was said before. Every commit about it that a later read does not
   * see is told; some that it does see may be, too.
   */
  void follow(Set<Topic> topics);

  /** Ends it. A commit that is happening at the moment may still be told. */
  @Override
  void close();
}
