package dev.syncguard.firestore.server.value;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Value;
import com.google.protobuf.NullValue;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a field transform makes of the value that is there. */
public final class Transforms {
  private static final Value NULL =
      Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();

  private Transforms() {}

  /** The value to store, and what the client is told about it. */
  public record Outcome(Value stored, Value reported) {}

  /** Refuses a transform that no stored value could make sense of. */
  public static void check(FieldTransform transform) {
    switch (transform.getTransformTypeCase()) {
      case INCREMENT -> requireNumber(transform.getIncrement());
      case MAXIMUM -> requireNumber(transform.getMaximum());
      case MINIMUM -> requireNumber(transform.getMinimum());
      case SET_TO_SERVER_VALUE -> {
        if (transform.getSetToServerValue() != FieldTransform.ServerValue.REQUEST_TIME) {
          throw FirestoreServerException.invalid("Unknown server value in a field transform.");
        }
      }
      case TRANSFORMTYPE_NOT_SET ->
        throw FirestoreServerException.invalid("A field transform says nothing to do.");
      default -> {}
    }
  }

  /** Applies one transform to the value that is there, or to none. */
  public static Outcome apply(
      FieldTransform transform, @Nullable Value present, long requestMicros) {
    return switch (transform.getTransformTypeCase()) {
      case SET_TO_SERVER_VALUE -> both(requestTime(requestMicros));
      case INCREMENT -> both(increment(present, transform.getIncrement()));
      case MAXIMUM -> both(extreme(present, transform.getMaximum(), 1));
      case MINIMUM -> both(extreme(present, transform.getMinimum(), -1));
      case APPEND_MISSING_ELEMENTS ->
        new Outcome(append(present, transform.getAppendMissingElements()), NULL);
      case REMOVE_ALL_FROM_ARRAY ->
        new Outcome(remove(present, transform.getRemoveAllFromArray()), NULL);
      case TRANSFORMTYPE_NOT_SET ->
        throw FirestoreServerException.invalid("A field transform says nothing to do.");
    };
  }

  private static Outcome both(Value value) {
    return new Outcome(value, value);
  }

  // The server's time is cut to milliseconds.
  private static Value requestTime(long micros) {
    return Value.newBuilder()
        .setTimestampValue(Times.timestamp(Math.floorDiv(micros, 1000) * 1000))
        .build();
  }

  private static Value increment(@Nullable Value present, Value operand) {
    return present != null && Numbers.isNumber(present) ? Numbers.sum(present, operand) : operand;
  }

  private static Value extreme(@Nullable Value present, Value operand, int sign) {
    if (present == null || !Numbers.isNumber(present)) {
      return operand;
    }
    if (Numbers.isNaN(present) || Numbers.isNaN(operand)) {
      return Numbers.isNaN(present) ? present : operand;
    }
    return Numbers.compare(operand, present) * sign > 0 ? operand : present;
  }

  private static Value append(@Nullable Value present, ArrayValue operand) {
    List<Value> elements = elements(present);
    for (Value candidate : operand.getValuesList()) {
      if (!contains(elements, candidate)) {
        elements.add(candidate);
      }
    }
    return array(elements);
  }

  private static Value remove(@Nullable Value present, ArrayValue operand) {
    List<Value> elements = elements(present);
    elements.removeIf(element -> contains(operand.getValuesList(), element));
    return array(elements);
  }

  private static boolean contains(List<Value> elements, Value wanted) {
    return elements.stream().anyMatch(element -> ValueOrder.equal(element, wanted));
  }

  private static List<Value> elements(@Nullable Value present) {
    return present != null && present.hasArrayValue()
        ? new ArrayList<>(present.getArrayValue().getValuesList())
        : new ArrayList<>();
  }

  private static Value array(List<Value> elements) {
    return Value.newBuilder()
        .setArrayValue(ArrayValue.newBuilder().addAllValues(elements))
        .build();
  }

  private static void requireNumber(Value operand) {
    if (!Numbers.isNumber(operand)) {
      throw FirestoreServerException.invalid("Input must be int64 or double.");
    }
  }
}
