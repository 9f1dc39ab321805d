package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.Unknown;
import java.util.ArrayList;
import java.util.List;

/** Calls functions and methods, those of the language and those of the source. Not thread-safe. */
final class Calls {
  private static final int MOST_LEVELS = 20;

  private final Evaluation evaluation;
  private final Library library;
  private final Lookups lookups;
  private int level;

  Calls(Evaluation evaluation, Library library, Lookups lookups) {
    this.evaluation = evaluation;
    this.library = library;
    this.lookups = lookups;
  }

  Outcome function(Call call, Scope scope) {
    Scope.Declared declared = scope.function(call.function());
    if (declared != null) {
      return declared(declared, call, scope);
    }
    boolean looksUp = Library.LOOKUPS.contains(call.function());
    Routine routine = library.function(call.function());
    if (!looksUp && routine == null) {
      return Failure.because("Function not found: " + call.function() + ".");
    }
    List<RulesValue> arguments = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      Outcome outcome = evaluation.value(argument, scope);
      if (!(outcome instanceof RulesValue value)) {
        return outcome instanceof Unknown unknown ? unknown.opaque() : outcome;
      }
      arguments.add(value);
    }
    return looksUp || routine == null
        ? lookups.call(call.function(), arguments)
        : routine.call(arguments);
  }

  /** What has no value may be handed over; it matters only if the function uses it. */
  private Outcome declared(Scope.Declared declared, Call call, Scope scope) {
    FunctionDeclaration function = declared.function();
    if (function.parameters().size() != call.arguments().size()) {
      return Failure.because("Wrong number of arguments.");
    }
    Scope body = declared.scope().inner(List.of());
    for (int i = 0; i < function.parameters().size(); i++) {
      body.define(
          function.parameters().get(i), evaluation.value(call.arguments().get(i), scope));
    }
    if (++level > MOST_LEVELS) {
      throw new EvaluationLimit("Functions call each other more than " + MOST_LEVELS + " deep.");
    }
    for (FunctionDeclaration.Let let : function.lets()) {
      body.define(let.name(), evaluation.value(let.value(), body));
    }
    Outcome result = evaluation.value(function.result(), body);
    level--;
    return result;
  }

  Outcome method(MethodCall call, Scope scope) {
    boolean ofLibrary = call.object() instanceof Name name
        && scope.variable(name.name()) == null
        && library.isLibrary(name.name());
    List<RulesValue> arguments = new ArrayList<>();
    Outcome object = ofLibrary ? RulesValue.NULL : evaluation.value(call.object(), scope);
    if (object instanceof Failure) {
      return object;
    }
    for (Expression argument : call.arguments()) {
      Outcome outcome = evaluation.value(argument, scope);
      if (!(outcome instanceof RulesValue value)) {
        return outcome instanceof Unknown unknown ? unknown.opaque() : outcome;
      }
      arguments.add(value);
    }
    if (ofLibrary) {
      Routine routine = library.function(((Name) call.object()).name(), call.method());
      return routine == null ? notFound(call.method()) : routine.call(arguments);
    } else if (object instanceof Unknown unknown) {
      return unknown.call(call.method(), arguments);
    }
    return method((RulesValue) object, call.method(), arguments);
  }

  private Outcome method(RulesValue object, String name, List<RulesValue> arguments) {
    if (object instanceof RulesValue.NullValue) {
      return Failure.nullValue();
    }
    Routine routine = library.method(object.type(), name);
    if (routine == null) {
      return notFound(name);
    }
    List<RulesValue> all = new ArrayList<>(arguments.size() + 1);
    all.add(object);
    all.addAll(arguments);
    return routine.call(all);
  }

  private static Failure notFound(String name) {
    return Failure.because("Function not found: " + name + ".");
  }
}
