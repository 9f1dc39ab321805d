package dev.syncguard.sync;

import java.util.Set;

/**
 * Hears what a person or a log should know. All texts are free of user ids, secrets, nodes and keys.
 *
 * <p>Called on the engine's thread. What it throws is swallowed.
 */
public interface Listener {

  /** The status became another one. Its age may change without a call: ask {@link PersistenceSync#status} to show it. */
  default void statusChanged(SyncStatus status) {}

  /** Sync changed these parts of the reader's state, so what is shown of them is out of date. */
  default void applied(Set<SyncedField> fields) {}

  /** Something to show for about ten seconds, without getting in the way. */
  default void notice(String text) {}

  /** Something for the log. */
  default void log(Level level, String text) {}

  /** How much a line of the log matters. */
  enum Level {
    /** For those who look for a fault in sync itself. */
    DEBUG,
    /** Something that a reader may want to know. */
    INFO,
    /** Something failed, and sync goes on without it. */
    WARNING
  }
}
