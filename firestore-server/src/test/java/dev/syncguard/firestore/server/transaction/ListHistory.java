package dev.syncguard.firestore.server.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What transactions over append-only lists saw and did, and whether some order of them explains it.
 *
 * <p>Each transaction reads some lists and appends its own number to some. The final lists tell the order of writers; a
 * reader comes after the last writer it saw and before the next one. If these demands form a cycle, or somebody saw what
 * is no beginning of the final list, no serial order exists.
 */
final class ListHistory {
  /** One committed transaction: the lists as it read them, and the keys it appended its number to. */
  record Entry(int number, Map<String, List<Integer>> reads, Set<String> appends) {}

  private final List<Entry> entries = new ArrayList<>();

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  int size() {
    return entries.size();
  }

  /** Returns what is wrong, or nothing if a serial order explains everything. */
  synchronized Optional<String> anomaly(Map<String, List<Integer>> finalLists) {
    Map<Integer, Set<Integer>> after = new HashMap<>();
    for (List<Integer> list : finalLists.values()) {
      for (int i = 1; i < list.size(); i++) {
        edge(after, list.get(i - 1), list.get(i));
      }
    }
    for (Entry entry : entries) {
      for (String key : entry.appends()) {
        List<Integer> list = finalLists.getOrDefault(key, List.of());
        if (list.stream().filter(number -> number == entry.number()).count() != 1) {
          return Optional.of("append of " + entry.number() + " to " + key + " was lost or doubled");
        }
      }
      for (Map.Entry<String, List<Integer>> read : entry.reads().entrySet()) {
        List<Integer> list = finalLists.getOrDefault(read.getKey(), List.of());
        int seen = read.getValue().size();
        if (seen > list.size() || !list.subList(0, seen).equals(read.getValue())) {
          return Optional.of(entry.number() + " read what never was in " + read.getKey());
        }
        if (seen > 0) {
          edge(after, list.get(seen - 1), entry.number());
        }
        if (seen < list.size()) {
          edge(after, entry.number(), list.get(seen));
        }
      }
    }
    return cycle(after);
  }

  private static void edge(Map<Integer, Set<Integer>> after, int from, int to) {
    if (from != to) {
      after.computeIfAbsent(from, key -> new LinkedHashSet<>()).add(to);
    }
  }

  private static Optional<String> cycle(Map<Integer, Set<Integer>> after) {
    Set<Integer> done = new HashSet<>();
    for (int start : after.keySet()) {
      List<Integer> path = new ArrayList<>();
      if (visit(start, after, done, path, new HashSet<>())) {
        return Optional.of("cycle " + path);
      }
    }
    return Optional.empty();
  }

  private static boolean visit(
      int node,
      Map<Integer, Set<Integer>> after,
      Set<Integer> done,
      List<Integer> path,
      Set<Integer> onPath) {
    if (done.contains(node)) {
      return false;
    }
    path.add(node);
    if (!onPath.add(node)) {
      return true;
    }
    for (int next : after.getOrDefault(node, Set.of())) {
      if (visit(next, after, done, path, onPath)) {
        return true;
      }
    }
    path.remove(path.size() - 1);
    onPath.remove(node);
    done.add(node);
    return false;
  }
}
