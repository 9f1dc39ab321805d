package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.value.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that a block of the source can use: its own, and those of the blocks around it. Not thread-safe. */
public final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, Outcome> variables = new HashMap<>();
  private final Map<String, FunctionDeclaration> functions = new HashMap<>();

  private Scope(@Nullable Scope outer, List<FunctionDeclaration> functions) {
    this.outer = outer;
    functions.forEach(function -> this.functions.put(function.name(), function));
  }

  /** Returns the scope of what stands outside of all blocks. */
  public static Scope outermost(List<FunctionDeclaration> functions) {
    return new Scope(null, functions);
  }

  /** Returns a scope inside of this one. */
  public Scope inner(List<FunctionDeclaration> functions) {
    return new Scope(this, functions);
  }

  /** Gives a name its value, which hides one of the same name outside. */
  public void define(String name, Outcome value) {
    variables.put(name, value);
  }

  @Nullable
  Outcome variable(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Outcome value = scope.variables.get(name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** A function and the scope that it was declared in. */
  record Declared(FunctionDeclaration function, Scope scope) {}

  @Nullable
  Declared function(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      FunctionDeclaration function = scope.functions.get(name);
      if (function != null) {
        return new Declared(function, scope);
      }
    }
    return null;
  }
}
