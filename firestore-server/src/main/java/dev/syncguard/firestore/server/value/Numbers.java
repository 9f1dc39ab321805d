package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.Value;

/** Integers and doubles as one ordered line, NaN first, compared exactly. */
public final class Numbers {
  private Numbers() {}

  /** Returns whether the value is an integer or a double. */
  public static boolean isNumber(Value value) {
    return value.hasIntegerValue() || value.hasDoubleValue();
  }

  /** Returns whether the value is the double NaN. */
  public static boolean isNaN(Value value) {
    return value.hasDoubleValue() && Double.isNaN(value.getDoubleValue());
  }

  /** Returns the number as a double, rounding a large integer. */
  public static double toDouble(Value value) {
    return value.hasIntegerValue() ? value.getIntegerValue() : value.getDoubleValue();
  }

  /** Compares two numbers by what they are worth. */
  public static int compare(Value a, Value b) {
    if (a.hasIntegerValue()) {
      return b.hasIntegerValue()
          ? Long.compare(a.getIntegerValue(), b.getIntegerValue())
          : -compare(b.getDoubleValue(), a.getIntegerValue());
    }
    return b.hasIntegerValue()
        ? compare(a.getDoubleValue(), b.getIntegerValue())
        : compare(a.getDoubleValue(), b.getDoubleValue());
  }

  private static int compare(double a, double b) {
    if (a == b) {
      return 0; // also 0.0 and -0.0
    }
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(!Double.isNaN(a), !Double.isNaN(b));
    }
    return a < b ? -1 : 1;
  }

  // A long does not always fit a double, so the double goes to the long's side.
  private static int compare(double a, long b) {
    if (Double.isNaN(a) || a < -0x1p63) {
      return -1;
    }
    if (a >= 0x1p63) {
      return 1;
    }
    int whole = Long.compare((long) a, b);
    return whole != 0 ? whole : compare(a - (long) a, 0.0);
  }

  /** Returns the sum as the increment transform forms it: integers stop at their limits. */
  static Value sum(Value a, Value b) {
    if (a.hasIntegerValue() && b.hasIntegerValue()) {
      long x = a.getIntegerValue();
      long y = b.getIntegerValue();
      long sum = x + y;
      boolean overflow = ((x ^ sum) & (y ^ sum)) < 0;
      return integer(overflow ? (x < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum);
    }
    return Value.newBuilder().setDoubleValue(toDouble(a) + toDouble(b)).build();
  }

  private static Value integer(long value) {
    return Value.newBuilder().setIntegerValue(value).build();
  }
}
