package dev.syncguard.firestore.server.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TransformsTest {
  @Test
  void incrementsStopAtTheLimitsOfIntegers() {
    assertThat(increment(Values.of(Long.MAX_VALUE - 1), Values.of(5L)))
        .isEqualTo(Values.of(Long.MAX_VALUE));
    assertThat(increment(Values.of(Long.MIN_VALUE + 1), Values.of(-5L)))
        .isEqualTo(Values.of(Long.MIN_VALUE));
    assertThat(increment(Values.of(1L), Values.of(2L))).isEqualTo(Values.of(3L));
  }

  @Test
  void incrementsWithDoublesGiveDoublesAndReplaceWhatIsNoNumber() {
    assertThat(increment(Values.of(1L), Values.of(0.5))).isEqualTo(Values.of(1.5));
    assertThat(increment(Values.of("x"), Values.of(2L))).isEqualTo(Values.of(2L));
    assertThat(increment(null, Values.of(2L))).isEqualTo(Values.of(2L));
  }

  @Test
  void theExtremeKeepsTheOlderOfEqualNumbers() {
    FieldTransform maximum =
        FieldTransform.newBuilder().setMaximum(Values.of(1.0)).build();
    assertThat(Transforms.apply(maximum, Values.of(1L), 0).stored()).isEqualTo(Values.of(1L));
    assertThat(Transforms.apply(maximum, Values.of(0L), 0).stored()).isEqualTo(Values.of(1.0));
    FieldTransform minimum =
        FieldTransform.newBuilder().setMinimum(Values.of(1.0)).build();
    assertThat(Transforms.apply(minimum, Values.of(2L), 0).stored()).isEqualTo(Values.of(1.0));
    assertThat(Transforms.apply(minimum, Values.of("x"), 0).stored()).isEqualTo(Values.of(1.0));
  }

  @Test
  void arraysCompareNumbersAcrossTypesAndTellNothing() {
    Value present = Values.array(Values.of(1L), Values.of(Double.NaN), Values.of("a"));
    FieldTransform append = FieldTransform.newBuilder()
        .setAppendMissingElements(
            elements(Values.of(1.0), Values.of(Double.NaN), Values.of("b"), Values.of("b")))
        .build();
    Transforms.Outcome appended = Transforms.apply(append, present, 0);
    assertThat(appended.stored())
        .isEqualTo(
            Values.array(Values.of(1L), Values.of(Double.NaN), Values.of("a"), Values.of("b")));
    assertThat(appended.reported()).isEqualTo(Values.nothing());
    FieldTransform remove = FieldTransform.newBuilder()
        .setRemoveAllFromArray(elements(Values.of(1.0), Values.of(Double.NaN)))
        .build();
    assertThat(Transforms.apply(remove, present, 0).stored())
        .isEqualTo(Values.array(Values.of("a")));
  }

  @Test
  void theServersTimeIsCutToMilliseconds() {
    FieldTransform time = FieldTransform.newBuilder()
        .setSetToServerValue(FieldTransform.ServerValue.REQUEST_TIME)
        .build();
    assertThat(Transforms.apply(time, null, 1_234_567).stored()).isEqualTo(Values.time(1_234_000));
  }

  private static Value increment(@Nullable Value present, Value operand) {
    FieldTransform transform = FieldTransform.newBuilder().setIncrement(operand).build();
    return Transforms.apply(transform, present, 0).stored();
  }

  private static ArrayValue elements(Value... values) {
    return ArrayValue.newBuilder().addAllValues(List.of(values)).build();
  }
}
