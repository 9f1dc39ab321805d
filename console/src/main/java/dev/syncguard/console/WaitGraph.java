package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which process holds which keys and waits for which, and whether any of them wait for one another in a circle. Several
 * threads of a process count as one, so that a circle may turn out to be none. Not thread-safe.
 */
final class WaitGraph {

  private final Map<String, Set<String>> held = new TreeMap<>();
  private final Map<String, Set<String>> wanted = new TreeMap<>();
  private final Map<String, String> holder = new TreeMap<>();

  /** @param process null if nobody has told who it is */
  void holds(@Nullable String process, String key) {
    if (process != null) {
      held.computeIfAbsent(process, name -> new TreeSet<>()).add(key);
      holder.put(key, process);
    }
  }

  void waits(String process, String key) {
    wanted.computeIfAbsent(process, name -> new TreeSet<>()).add(key);
  }

  /** Returns the processes that wait, and those that they wait for. */
  ObjectNode json() {
    Set<String> shown = new TreeSet<>(wanted.keySet());
    Set<String> keys = new TreeSet<>();
    wanted.values().forEach(keys::addAll);
    keys.forEach(key -> {
      if (holder.containsKey(key)) {
        shown.add(holder.get(key));
      }
    });
    Set<String> circle = inCircle();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode processes = node.putArray("processes");
    for (String process : shown) {
      ObjectNode item = processes.addObject().put("name", process);
      item.put("inCircle", circle.contains(process));
      add(item.putArray("holds"), held.getOrDefault(process, Set.of()));
      add(item.putArray("waits"), wanted.getOrDefault(process, Set.of()));
    }
    return node;
  }

  private static void add(ArrayNode array, Set<String> keys) {
    keys.forEach(array::add);
  }

  /** Returns the processes that wait for themselves in the end. */
  private Set<String> inCircle() {
    Set<String> found = new TreeSet<>();
    for (String process : wanted.keySet()) {
      Set<String> reached = new TreeSet<>();
      List<String> next = new ArrayList<>(blockers(process));
      while (!next.isEmpty()) {
        String blocker = next.remove(next.size() - 1);
        if (reached.add(blocker)) {
          next.addAll(blockers(blocker));
        }
      }
      if (reached.contains(process)) {
        found.add(process);
      }
    }
    return found;
  }

  private Set<String> blockers(String process) {
    Set<String> blockers = new TreeSet<>();
    for (String key : wanted.getOrDefault(process, Set.of())) {
      String by = holder.get(key);
      if (by != null && !by.equals(process)) {
        blockers.add(by);
      }
    }
    return blockers;
  }
}
