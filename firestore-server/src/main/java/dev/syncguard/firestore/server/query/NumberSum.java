package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Value;
import com.google.protobuf.NullValue;
import java.math.BigInteger;

/** A sum that stays an integer for as long as it can. */
final class NumberSum {
  private BigInteger integers = BigInteger.ZERO;
  private double doubles;
  private boolean anyDouble;
  private long count;

  void add(Value value) {
    count++;
    if (value.hasIntegerValue()) {
      integers = integers.add(BigInteger.valueOf(value.getIntegerValue()));
    } else {
      anyDouble = true;
      doubles += value.getDoubleValue();
    }
  }

  Value total() {
    return anyDouble || integers.bitLength() > 63 ? decimal(sum()) : integer(integers.longValue());
  }

  Value average() {
    return count == 0
        ? Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build()
        : decimal(sum() / count);
  }

  private double sum() {
    return integers.doubleValue() + doubles;
  }

  private static Value decimal(double value) {
    return Value.newBuilder().setDoubleValue(value).build();
  }

  private static Value integer(long value) {
    return Value.newBuilder().setIntegerValue(value).build();
  }
}
