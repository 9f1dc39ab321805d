package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.OfWorker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The leases of a history, by key and in the order in which their holders learnt of them. Immutable once made. */
public final class Leases {

  /** What names a lease. */
  private record Name(int worker, long attempt) {}

  private final Map<Name, Tenure> byName = new LinkedHashMap<>();
  private final Map<String, List<Tenure>> byKey = new TreeMap<>();

  private Leases() {}

  /** Returns the leases that a history tells of. */
  public static Leases of(Collection<? extends Event> history) {
    Leases leases = new Leases();
    for (Event event : history) {
      if (event instanceof Granted granted) {
        Tenure tenure = new Tenure(granted);
        leases.byName.put(new Name(granted.worker(), granted.attempt()), tenure);
        leases.byKey.computeIfAbsent(granted.key(), key -> new ArrayList<>()).add(tenure);
      }
    }
    Map<Integer, List<Long>> kills = new HashMap<>();
    for (Event event : history) {
      if (event instanceof OfWorker told) {
        leases.find(told.worker(), told.attempt()).ifPresent(tenure -> tenure.add(event));
      } else if (event instanceof Hurt hurt && hurt.fault().equals(Hurt.KILL)) {
        kills.computeIfAbsent(hurt.worker(), worker -> new ArrayList<>()).add(hurt.until());
      }
    }
    for (Tenure tenure : leases.byName.values()) {
      kills.getOrDefault(tenure.grant().worker(), List.of()).stream()
          .filter(at -> at >= tenure.grant().at())
          .forEach(tenure::killed);
    }
    leases
        .byKey
        .values()
        .forEach(list -> list.sort(Comparator.comparingLong(t -> t.grant().at())));
    return leases;
  }

  Optional<Tenure> find(int worker, long attempt) {
    return Optional.ofNullable(byName.get(new Name(worker, attempt)));
  }

  /** Returns the leases of each key, the earliest first. */
  public Map<String, List<Tenure>> byKey() {
    return byKey;
  }

  /** Returns the lease of a key that was the last one to be answered by this time. */
  Optional<Tenure> lastBefore(String key, long at) {
    int count = answeredBy(key, at);
    return count == 0 ? Optional.empty() : Optional.of(of(key).get(count - 1));
  }

  /** Returns the first lease of a key that was answered after this time and not after the other one. */
  Optional<Tenure> firstIn(String key, long after, long until) {
    int count = answeredBy(key, after);
    return count < of(key).size() && of(key).get(count).grant().at() <= until
        ? Optional.of(of(key).get(count))
        : Optional.empty();
  }

  private int answeredBy(String key, long at) {
    List<Tenure> all = of(key);
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).grant().at() > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private List<Tenure> of(String key) {
    return byKey.getOrDefault(key, List.of());
  }
}
