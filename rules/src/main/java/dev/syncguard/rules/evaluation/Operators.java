package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.syntax.BinaryOperator;
import dev.syncguard.rules.value.Comparison;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.DurationValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.SetValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import dev.syncguard.rules.value.RulesValueOrder;
import dev.syncguard.rules.value.Unknown;
import dev.syncguard.rules.value.ValueType;
import java.time.Duration;

/** The operators that need both of their sides. */
final class Operators {
  /** Strings grow by concatenation; this is beyond what fits into a document. */
  static final int LONGEST_TEXT = 2 * 1024 * 1024;

  private Operators() {}

  static Outcome apply(BinaryOperator operator, Outcome left, Outcome right) {
    if (left instanceof Failure) {
      return left;
    } else if (right instanceof Failure) {
      return right;
    }
    return switch (operator) {
      case EQUAL -> compare(Comparison.EQUAL, left, right);
      case NOT_EQUAL -> compare(Comparison.NOT_EQUAL, left, right);
      case LESS -> compare(Comparison.LESS, left, right);
      case LESS_OR_EQUAL -> compare(Comparison.LESS_OR_EQUAL, left, right);
      case GREATER -> compare(Comparison.GREATER, left, right);
      case GREATER_OR_EQUAL -> compare(Comparison.GREATER_OR_EQUAL, left, right);
      case IN -> in(left, right);
      case PLUS, MINUS, TIMES, DIVIDE, MODULO -> {
        if (left instanceof Unknown) {
          yield left;
        }
        yield right instanceof Unknown
            ? right
            : TimeRoutines.guarded(
                () -> arithmetic(operator, (RulesValue) left, (RulesValue) right));
      }
      case AND, OR -> throw new IllegalArgumentException("Needs only one of its sides");
    };
  }

  static Failure tooLong() {
    return Failure.because("This string is too long.");
  }

  private static Outcome compare(Comparison comparison, Outcome left, Outcome right) {
    if (left instanceof Unknown unknown) {
      return right instanceof RulesValue value ? unknown.compare(comparison, value) : right;
    } else if (right instanceof Unknown unknown) {
      return unknown.compare(comparison.mirrored(), (RulesValue) left);
    }
    return RulesValueOrder.compare(comparison, (RulesValue) left, (RulesValue) right);
  }

  private static Outcome in(Outcome element, Outcome container) {
    if (element instanceof Unknown) {
      return element;
    }
    RulesValue value = (RulesValue) element;
    if (container instanceof Unknown unknown) {
      return unknown.contains(value);
    } else if (container instanceof ListValue list) {
      return RulesValue.of(list.elements().contains(value));
    } else if (container instanceof SetValue set) {
      return RulesValue.of(set.elements().contains(value));
    } else if (container instanceof MapValue map) {
      return value instanceof StringValue key
          ? RulesValue.of(map.entries().containsKey(key.value()))
          : RulesValue.FALSE;
    } else if (container instanceof RulesValue.NullValue) {
      return Failure.nullValue();
    }
    return Failure.type((RulesValue) container, ValueType.LIST, ValueType.MAP, ValueType.SET);
  }

  private static Outcome arithmetic(BinaryOperator operator, RulesValue left, RulesValue right) {
    if (left instanceof IntValue a && right instanceof IntValue b) {
      return whole(operator, a.value(), b.value());
    } else if (left.type().isNumber() && right.type().isNumber()) {
      return real(operator, real(left), real(right));
    } else if (operator == BinaryOperator.PLUS
        && left instanceof StringValue a
        && right instanceof StringValue b) {
      return a.value().length() + b.value().length() > LONGEST_TEXT
          ? tooLong()
          : RulesValue.of(a.value() + b.value());
    }
    boolean plus = operator == BinaryOperator.PLUS;
    if (plus || operator == BinaryOperator.MINUS) {
      if (left instanceof TimestampValue a && right instanceof DurationValue b) {
        Duration length = b.value();
        return TimeRoutines.timestamp(plus ? a.value().plus(length) : a.value().minus(length));
      } else if (plus && left instanceof DurationValue a && right instanceof TimestampValue b) {
        return TimeRoutines.timestamp(b.value().plus(a.value()));
      } else if (!plus && left instanceof TimestampValue a && right instanceof TimestampValue b) {
        return TimeRoutines.duration(Duration.between(b.value(), a.value()));
      } else if (left instanceof DurationValue a && right instanceof DurationValue b) {
        Duration length = b.value();
        return TimeRoutines.duration(plus ? a.value().plus(length) : a.value().minus(length));
      }
    }
    return Failure.because("Unsupported operation error. Received: "
        + left.type().word() + " " + operator.symbol() + " " + right.type().word() + ".");
  }

  private static Outcome whole(BinaryOperator operator, long left, long right) {
    return switch (operator) {
      case PLUS -> RulesValue.of(Math.addExact(left, right));
      case MINUS -> RulesValue.of(Math.subtractExact(left, right));
      case TIMES -> RulesValue.of(Math.multiplyExact(left, right));
      case DIVIDE ->
        left == Long.MIN_VALUE && right == -1
            ? Failure.because("Out of range.")
            : RulesValue.of(left / right);
      case MODULO -> RulesValue.of(left % right);
      default -> throw new IllegalArgumentException(operator.symbol());
    };
  }

  private static Outcome real(BinaryOperator operator, double left, double right) {
    return switch (operator) {
      case PLUS -> RulesValue.of(left + right);
      case MINUS -> RulesValue.of(left - right);
      case TIMES -> RulesValue.of(left * right);
      case DIVIDE -> RulesValue.of(left / right);
      case MODULO -> RulesValue.of(left % right);
      default -> throw new IllegalArgumentException(operator.symbol());
    };
  }

  private static double real(RulesValue value) {
    return value instanceof IntValue whole ? whole.value() : ((FloatValue) value).value();
  }
}
