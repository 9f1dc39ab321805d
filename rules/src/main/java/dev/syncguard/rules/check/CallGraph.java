package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.Site;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which functions call which, by where they are declared. Used by one thread. */
final class CallGraph {
  private final Map<Site, FunctionDeclaration> functions = new LinkedHashMap<>();
  private final Map<Site, List<Site>> callees = new LinkedHashMap<>();
  private final Set<Site> called = new HashSet<>();
  private @Nullable Site current;

  /** Takes all calls that are made meanwhile for calls by that function. */
  void within(FunctionDeclaration function, Runnable check) {
    functions.put(function.site(), function);
    current = function.site();
    check.run();
    current = null;
  }

  void call(FunctionDeclaration function) {
    if (current != null) {
      callees.computeIfAbsent(current, key -> new ArrayList<>()).add(function.site());
    }
    if (!function.site().equals(current)) {
      called.add(function.site());
    }
  }

  boolean isCalled(FunctionDeclaration function) {
    return called.contains(function.site());
  }

  /** Returns the functions that call themselves, directly or through others. */
  List<FunctionDeclaration> recursive() {
    return functions.values().stream()
        .filter(function -> reachesItself(function.site()))
        .toList();
  }

  private boolean reachesItself(Site start) {
    Set<Site> seen = new HashSet<>();
    Deque<Site> open = new ArrayDeque<>(callees.getOrDefault(start, List.of()));
    while (!open.isEmpty()) {
      Site next = open.pop();
      if (next.equals(start)) {
        return true;
      }
      if (seen.add(next)) {
        open.addAll(callees.getOrDefault(next, List.of()));
      }
    }
    return false;
  }
}
