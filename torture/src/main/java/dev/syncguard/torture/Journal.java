package dev.syncguard.torture;

import dev.syncguard.torture.history.Event;

/** Where a worker tells what it saw. Thread-safe. */
@FunctionalInterface
public interface Journal {
  void note(Event event);
}
