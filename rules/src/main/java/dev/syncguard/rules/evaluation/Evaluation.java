package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.BinaryOperator;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.syntax.Expression.Binary;
import dev.syncguard.rules.syntax.Expression.Call;
import dev.syncguard.rules.syntax.Expression.Conditional;
import dev.syncguard.rules.syntax.Expression.Index;
import dev.syncguard.rules.syntax.Expression.ListLiteral;
import dev.syncguard.rules.syntax.Expression.Literal;
import dev.syncguard.rules.syntax.Expression.MapLiteral;
import dev.syncguard.rules.syntax.Expression.Member;
import dev.syncguard.rules.syntax.Expression.MethodCall;
import dev.syncguard.rules.syntax.Expression.Name;
import dev.syncguard.rules.syntax.Expression.Negative;
import dev.syncguard.rules.syntax.Expression.Not;
import dev.syncguard.rules.syntax.Expression.PathLiteral;
import dev.syncguard.rules.syntax.Expression.Slice;
import dev.syncguard.rules.syntax.Expression.TypeTest;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.BoolValue;
import dev.syncguard.rules.value.Unknown;
import dev.syncguard.rules.value.ValueType;

/**
 * The evaluation of the conditions for one operation. An expression without a value is a failure that runs through all
 * operators but two: {@code &&} and {@code ||} ignore it, on either side, where the other side decides alone. What is unknown
 * behaves in the same way. Not thread-safe.
 */
public final class Evaluation {
  private static final int MOST_EXPRESSIONS = 1_000;
  /** Lists that contain each other twice grow exponentially; no document holds as much as this. */
  private static final int LARGEST_VALUE = 200_000;

  private final Trace trace;
  private final Calls calls;
  private final Construction construction;
  private int evaluated;

  /** Creates an evaluation of one request. */
  public Evaluation(Library library, String database, LookupBudget budget, Trace trace) {
    this.trace = trace;
    this.calls = new Calls(this, library, new Lookups(database, budget));
    this.construction = new Construction(this);
  }

  /** Returns what an expression comes to. */
  public Outcome value(Expression expression, Scope scope) {
    if (!(expression instanceof Literal) && ++evaluated > MOST_EXPRESSIONS) {
      throw new EvaluationLimit("More than " + MOST_EXPRESSIONS + " expressions.");
    }
    trace.entering(expression);
    Outcome outcome = evaluate(expression, scope);
    if (outcome instanceof Failure failure) {
      outcome = failure.at(expression.range().line(), expression.range().column());
    } else if (outcome instanceof Unknown unknown && !handsOn(expression)) {
      outcome = unknown.opaque();
    } else if (outcome.weight() > LARGEST_VALUE) {
      throw new EvaluationLimit("A value became too large.");
    }
    trace.evaluated(expression, outcome);
    return outcome;
  }

  /** Returns whether an expression only finds a value that exists; all others make a new one of it. */
  private static boolean handsOn(Expression expression) {
    return expression instanceof Name
        || expression instanceof Member
        || expression instanceof Index
        || expression instanceof Call
        || expression instanceof MethodCall;
  }

  private Outcome evaluate(Expression expression, Scope scope) {
    if (expression instanceof Literal literal) {
      return literal.value();
    } else if (expression instanceof Name name) {
      Outcome value = scope.variable(name.name());
      return value == null ? Failure.because("Variable not found: " + name.name() + ".") : value;
    } else if (expression instanceof Member member) {
      return MemberAccess.member(value(member.object(), scope), member.name());
    } else if (expression instanceof Binary binary) {
      return binary(binary, scope);
    } else if (expression instanceof MethodCall call) {
      return calls.method(call, scope);
    } else if (expression instanceof Call call) {
      return calls.function(call, scope);
    } else if (expression instanceof TypeTest test) {
      return typeTest(value(test.operand(), scope), test.type());
    } else if (expression instanceof Not not) {
      return not(value(not.operand(), scope));
    } else if (expression instanceof Negative negative) {
      return negative(value(negative.operand(), scope));
    } else if (expression instanceof Conditional conditional) {
      return conditional(conditional, scope);
    } else if (expression instanceof Index index) {
      return MemberAccess.index(value(index.object(), scope), value(index.index(), scope));
    } else if (expression instanceof Slice slice) {
      return MemberAccess.slice(
          value(slice.object(), scope), value(slice.from(), scope), value(slice.to(), scope));
    } else if (expression instanceof ListLiteral list) {
      return construction.list(list, scope);
    } else if (expression instanceof MapLiteral map) {
      return construction.map(map, scope);
    }
    return construction.path((PathLiteral) expression, scope);
  }

  private Outcome binary(Binary binary, Scope scope) {
    if (binary.operator() == BinaryOperator.AND) {
      return logic(binary, RulesValue.FALSE, scope);
    } else if (binary.operator() == BinaryOperator.OR) {
      return logic(binary, RulesValue.TRUE, scope);
    }
    Outcome left = value(binary.left(), scope);
    return Operators.apply(binary.operator(), left, value(binary.right(), scope));
  }

  /** Either side decides alone if it has the decisive value; only if none does, the rest matters. */
  private Outcome logic(Binary binary, BoolValue decisive, Scope scope) {
    Outcome left = bool(value(binary.left(), scope));
    if (left == decisive) {
      return decisive;
    }
    Outcome right = bool(value(binary.right(), scope));
    if (right == decisive || left instanceof BoolValue) {
      return right;
    }
    return left instanceof Failure && right instanceof Unknown ? right : left;
  }

  private static Outcome bool(Outcome outcome) {
    return outcome instanceof RulesValue value && !(value instanceof BoolValue)
        ? Failure.type(value, ValueType.BOOL)
        : outcome;
  }

  private static Outcome not(Outcome operand) {
    Outcome bool = bool(operand);
    return bool instanceof BoolValue value ? RulesValue.of(!value.value()) : bool;
  }

  private static Outcome negative(Outcome operand) {
    if (operand instanceof RulesValue.IntValue number) {
      return TimeRoutines.guarded(() -> RulesValue.of(Math.negateExact(number.value())));
    } else if (operand instanceof RulesValue.FloatValue number) {
      return RulesValue.of(-number.value());
    }
    return operand instanceof RulesValue value
        ? Failure.type(value, ValueType.INT, ValueType.FLOAT)
        : operand;
  }

  private static Outcome typeTest(Outcome operand, String type) {
    if (operand instanceof Unknown unknown) {
      return unknown.isOfType(type);
    }
    return operand instanceof RulesValue value ? RulesValue.of(value.type().is(type)) : operand;
  }

  private Outcome conditional(Conditional conditional, Scope scope) {
    Outcome condition = bool(value(conditional.condition(), scope));
    if (condition instanceof BoolValue bool) {
      return value(bool.value() ? conditional.then() : conditional.otherwise(), scope);
    }
    // Even if both sides are the same: what is unknown may have no value at all, and then neither
    // has this.
    return condition;
  }
}
