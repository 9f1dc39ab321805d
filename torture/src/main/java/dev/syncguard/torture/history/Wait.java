package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.OfWorker;
import dev.syncguard.torture.history.Event.Refused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time during which somebody waited for a key.
 *
 * @param worker who
 * @param key for what
 * @param from since when
 * @param until when it was granted or refused, when the worker was killed, or when the history ended
 * @param granted whether it was granted
 */
public record Wait(int worker, String key, long from, long until, boolean granted) {

  /** Returns all waits that a history tells of, in the order in which they began. */
  public static List<Wait> in(Collection<? extends Event> history) {
    record Name(int worker, long attempt) {}
    Map<Name, OfWorker> ends = new HashMap<>();
    Map<Integer, List<Long>> kills = new HashMap<>();
    long last = Long.MIN_VALUE;
    for (Event event : history) {
      last = Math.max(last, event.at());
      if (event instanceof Granted || event instanceof Refused) {
        OfWorker told = (OfWorker) event;
        ends.put(new Name(told.worker(), told.attempt()), told);
      } else if (event instanceof Hurt hurt && hurt.fault().equals(Hurt.KILL)) {
        kills.computeIfAbsent(hurt.worker(), worker -> new ArrayList<>()).add(hurt.at());
      }
    }
    List<Wait> waits = new ArrayList<>();
    for (Event event : history) {
      if (event instanceof Asked asked && asked.waits()) {
        OfWorker end = ends.get(new Name(asked.worker(), asked.attempt()));
        long cut = kills.getOrDefault(asked.worker(), List.of()).stream()
            .filter(at -> at >= asked.at())
            .min(Long::compare)
            .orElse(last);
        waits.add(new Wait(
            asked.worker(),
            asked.key(),
            asked.at(),
            end == null ? cut : end.at(),
            end instanceof Granted));
      }
    }
    return waits;
  }
}
