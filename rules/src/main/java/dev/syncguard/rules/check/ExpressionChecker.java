package dev.syncguard.rules.check;

import dev.syncguard.rules.evaluation.Library;
import dev.syncguard.rules.syntax.BinaryOperator;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.Binary;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.Conditional;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.Expression.Not;
import dev.syncguard.rules.syntax.Expression.TypeTest;
import dev.syncguard.rules.syntax.FunctionDeclaration;
import dev.syncguard.rules.value.RulesValue;
import java.util.Optional;
import java.util.Set;

/** Checks expressions: whether their names exist, and whether they depend on anything. */
final class ExpressionChecker {
  private final Library library;
  private final Set<String> methods;
  private final Problems problems;
  private final CallGraph calls;

  ExpressionChecker(Library library, Problems problems, CallGraph calls) {
    this.library = library;
    this.methods = library.methodNames();
    this.problems = problems;
    this.calls = calls;
  }

  void check(Expression expression, Names names) {
    if (isConstantQuestion(expression)) {
      problems.warn(expression.range(), "This is always the same; it depends on nothing.");
      return;
    }
    if (expression instanceof Name name) {
      variable(name, names);
    } else if (expression instanceof Call call) {
      function(call, names);
    } else if (expression instanceof MethodCall call) {
      method(call, names);
      if (isOfLibrary(call, names)) {
        call.arguments().forEach(argument -> check(argument, names));
        return;
      }
    } else if (expression instanceof Binary binary) {
      binary(binary);
    }
    expression.children().forEach(child -> check(child, names));
  }

  private void variable(Name name, Names names) {
    if (!names.has(name.name())) {
      problems.warn(name.range(), "Invalid variable name: " + name.name() + ".");
    }
  }

  private void function(Call call, Names names) {
    Optional<FunctionDeclaration> declared = names.function(call.function());
    if (declared.isPresent()) {
      calls.call(declared.get());
      int expected = declared.get().parameters().size();
      if (expected != call.arguments().size()) {
        problems.error(
            call.range(),
            "Function " + call.function() + " takes " + expected + " arguments, but is given "
                + call.arguments().size() + ".");
      }
    } else if (!library.isFunction(call.function())) {
      problems.warn(call.range(), "Invalid function name: " + call.function() + ".");
    }
  }

  private void method(MethodCall call, Names names) {
    boolean known = isOfLibrary(call, names)
        ? library.hasFunction(((Name) call.object()).name(), call.method())
        : methods.contains(call.method());
    if (!known) {
      problems.warn(call.range(), "Invalid function name: " + call.method() + ".");
    }
  }

  private boolean isOfLibrary(MethodCall call, Names names) {
    return call.object() instanceof Name name
        && !names.has(name.name())
        && library.isLibrary(name.name());
  }

  private void binary(Binary binary) {
    if (binary.operator() == BinaryOperator.IN && binary.left() instanceof Not) {
      problems.warn(
          binary.range(), "'!' applies to the left side only; write !(… in …) to ask for absence.");
    }
    boolean or = binary.operator() == BinaryOperator.OR;
    if (or || binary.operator() == BinaryOperator.AND) {
      RulesValue decisive = RulesValue.of(or);
      for (Expression side : binary.children()) {
        if (side instanceof Literal literal && literal.value() instanceof RulesValue.BoolValue) {
          problems.warn(
              side.range(),
              literal.value() == decisive
                  ? "With this, the whole is always " + or + "."
                  : "This changes nothing.");
        }
      }
    }
  }

  /** Returns whether this asks something that has the same answer for every request. A plain true or false may stay. */
  private static boolean isConstantQuestion(Expression expression) {
    boolean question = expression instanceof Binary
        || expression instanceof Not
        || expression instanceof TypeTest
        || expression instanceof Conditional;
    return question && isConstant(expression);
  }

  private static boolean isConstant(Expression expression) {
    if (expression instanceof Name
        || expression instanceof Call
        || expression instanceof MethodCall) {
      return false;
    }
    return expression.children().stream().allMatch(ExpressionChecker::isConstant);
  }
}
