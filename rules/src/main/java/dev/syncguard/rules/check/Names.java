package dev.syncguard.rules.check;

import dev.syncguard.rules.syntax.FunctionDeclaration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that can be used in a block of the source. Not thread-safe. */
final class Names {
  private final @Nullable Names outer;
  private final Set<String> variables = new HashSet<>();
  private final Map<String, FunctionDeclaration> functions = new HashMap<>();

  private Names(@Nullable Names outer, List<FunctionDeclaration> functions) {
    this.outer = outer;
    functions.forEach(function -> this.functions.putIfAbsent(function.name(), function));
  }

  static Names outermost(Set<String> variables, List<FunctionDeclaration> functions) {
    Names names = new Names(null, functions);
    names.variables.addAll(variables);
    return names;
  }

  Names inner(List<FunctionDeclaration> functions) {
    return new Names(this, functions);
  }

  void define(String variable) {
    variables.add(variable);
  }

  boolean hasOwn(String variable) {
    return variables.contains(variable);
  }

  boolean has(String variable) {
    return variables.contains(variable) || (outer != null && outer.has(variable));
  }

  Optional<FunctionDeclaration> function(String name) {
    FunctionDeclaration own = functions.get(name);
    if (own != null) {
      return Optional.of(own);
    }
    return outer == null ? Optional.empty() : outer.function(name);
  }
}
