package dev.syncguard.rules.value;

import dev.syncguard.rules.value.RulesValue.BoolValue;
import dev.syncguard.rules.value.RulesValue.BytesValue;
import dev.syncguard.rules.value.RulesValue.DurationValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.math.BigDecimal;
import java.util.OptionalInt;

/** How two values compare. */
public final class RulesValueOrder {
  private RulesValueOrder() {}

  /** Returns how the values relate; values of types that do not compare are a failure unless equality is asked for. */
  public static Outcome compare(Comparison comparison, RulesValue left, RulesValue right) {
    if (comparison == Comparison.EQUAL) {
      return RulesValue.of(areEqual(left, right));
    }
    if (comparison == Comparison.NOT_EQUAL) {
      return RulesValue.of(!areEqual(left, right));
    }
    if (isNaN(left) || isNaN(right)) {
      return isNumber(left) && isNumber(right) ? RulesValue.FALSE : mismatch(left, right);
    }
    OptionalInt order = order(left, right);
    return order.isPresent()
        ? RulesValue.of(comparison.holds(order.getAsInt()))
        : mismatch(left, right);
  }

  /** Returns the equality of {@code ==}: numbers by value, everything else only with its own type. */
  public static boolean areEqual(RulesValue left, RulesValue right) {
    if (isNumber(left) && isNumber(right)) {
      return !isNaN(left) && !isNaN(right) && numbers(left, right) == 0;
    }
    return left.equals(right);
  }

  /** Returns how the values compare, or nothing if one cannot be less than the other. */
  public static OptionalInt order(RulesValue left, RulesValue right) {
    if (isNumber(left) && isNumber(right)) {
      return OptionalInt.of(numbers(left, right));
    } else if (left instanceof StringValue a && right instanceof StringValue b) {
      return OptionalInt.of(a.value().compareTo(b.value()));
    } else if (left instanceof TimestampValue a && right instanceof TimestampValue b) {
      return OptionalInt.of(a.value().compareTo(b.value()));
    } else if (left instanceof DurationValue a && right instanceof DurationValue b) {
      return OptionalInt.of(a.value().compareTo(b.value()));
    } else if (left instanceof BoolValue a && right instanceof BoolValue b) {
      return OptionalInt.of(Boolean.compare(a.value(), b.value()));
    } else if (left instanceof BytesValue a && right instanceof BytesValue b) {
      return OptionalInt.of(com.google.protobuf.ByteString.unsignedLexicographicalComparator()
          .compare(a.value(), b.value()));
    }
    return OptionalInt.empty();
  }

  private static Failure mismatch(RulesValue left, RulesValue right) {
    return Failure.because(
        "Unsupported operation error. Received: [" + left.type().word() + ", "
            + right.type().word() + "]. Expected: two values that can be ordered.");
  }

  private static boolean isNumber(RulesValue value) {
    return value.type().isNumber();
  }

  private static boolean isNaN(RulesValue value) {
    return value instanceof FloatValue number && Double.isNaN(number.value());
  }

  /** Compares by value, because a double cannot hold every long. */
  private static int numbers(RulesValue left, RulesValue right) {
    if (left instanceof IntValue a && right instanceof IntValue b) {
      return Long.compare(a.value(), b.value());
    } else if (left instanceof FloatValue a && right instanceof FloatValue b) {
      // Unlike Double.compare, this takes both zeros for equal.
      return a.value() < b.value() ? -1 : a.value() > b.value() ? 1 : 0;
    } else if (left instanceof IntValue a && right instanceof FloatValue b) {
      return mixed(a.value(), b.value());
    }
    return -mixed(((IntValue) right).value(), ((FloatValue) left).value());
  }

  private static int mixed(long whole, double number) {
    return Double.isInfinite(number)
        ? (number > 0 ? -1 : 1)
        : BigDecimal.valueOf(whole).compareTo(new BigDecimal(number));
  }
}
