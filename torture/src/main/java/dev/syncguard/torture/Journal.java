package dev.syncguard.torture;

import dev.syncguard.torture.history.Event;

/** Where a worker tells what it saw. Thread-safe. */
@FunctionalInterface
public interface Journal {
  /** Writes down an event, in the order in which events are told. */
  void note(Event event);
}
