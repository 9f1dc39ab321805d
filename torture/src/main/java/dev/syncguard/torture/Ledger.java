package dev.syncguard.torture;

import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Event.Wrote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The history of a run, and the resource that its workers write to. Thread-safe. */
public final class Ledger implements Journal, Resource {

  private final List<Event> events = new ArrayList<>();
  private final Map<Class<?>, Long> counts = new HashMap<>();
  private final Map<String, Long> highest = new HashMap<>();

  @Override
  public synchronized void note(Event event) {
    events.add(event);
    counts.merge(event.getClass(), 1L, Long::sum);
  }

  @Override
  public synchronized boolean write(int worker, String key, long attempt, long fence) {
    boolean accepted = fence >= highest.getOrDefault(key, 0L);
    if (accepted) {
      highest.put(key, fence);
    }
    note(new Wrote(worker, key, attempt, System.nanoTime(), fence, accepted));
    return accepted;
  }

  /** Returns what happened so far. */
  public synchronized List<Event> history() {
    return List.copyOf(events);
  }

  /** Returns how many events there were so far of this kind. */
  synchronized long count(Class<? extends Event> kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
