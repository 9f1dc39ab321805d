package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.syntax.SourceRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which functions call which, by where they are declared. Not thread-safe. */
final class CallGraph {
  private final Map<SourceRange, FunctionDeclaration> functions = new LinkedHashMap<>();
  private final Map<SourceRange, List<SourceRange>> callees = new LinkedHashMap<>();
  private final Set<SourceRange> called = new HashSet<>();
  private @Nullable SourceRange current;

  /** Takes all calls that are made meanwhile for calls by that function. */
  void within(FunctionDeclaration function, Runnable check) {
    functions.put(function.range(), function);
    current = function.range();
    check.run();
    current = null;
  }

  void call(FunctionDeclaration function) {
    if (current != null) {
      callees.computeIfAbsent(current, key -> new ArrayList<>()).add(function.range());
    }
    if (!function.range().equals(current)) {
      called.add(function.range());
    }
  }

  boolean isCalled(FunctionDeclaration function) {
    return called.contains(function.range());
  }

  /** Returns the functions that call themselves, directly or through others. */
  List<FunctionDeclaration> recursive() {
    return functions.values().stream()
        .filter(function -> reachesItself(function.range()))
        .toList();
  }

  private boolean reachesItself(SourceRange start) {
    Set<SourceRange> seen = new HashSet<>();
    Deque<SourceRange> open = new ArrayDeque<>(callees.getOrDefault(start, List.of()));
    while (!open.isEmpty()) {
      SourceRange next = open.pop();
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
