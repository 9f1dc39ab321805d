package dev.syncguard.firestore.server.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueOrderTest {
  private static final String DOCUMENTS = "projects/p/databases/d/documents/";

  /** One value of every kind, and the awkward neighbours within the kinds, in the order they must have. */
  private static final List<Value> SORTED = List.of(
      Values.nothing(),
      Values.of(false),
      Values.of(true),
      Values.of(Double.NaN),
      Values.of(Double.NEGATIVE_INFINITY),
      Values.of(Long.MIN_VALUE),
      Values.of(-1.5),
      Values.of(-1L),
      Values.of(0L),
      Values.of(Double.MIN_VALUE),
      Values.of(1L),
      Values.of(1.5),
      Values.of(9007199254740992.0),
      Values.of(9007199254740993L),
      Values.of(Long.MAX_VALUE),
      Values.of(0x1p63),
      Values.of(Double.POSITIVE_INFINITY),
      Values.time(-1),
      Values.time(0),
      Values.time(1_000_001),
      Values.of(""),
      Values.of("a"),
      Values.of("a\0"),
      Values.of("ab"),
      Values.of("é"),
      Values.of("\uFFFD"),
      Values.of("\uD83D\uDE00"),
      Values.bytes(),
      Values.bytes(0),
      Values.bytes(0x7f),
      Values.bytes(0x80),
      Values.reference(DOCUMENTS + "c/__id-5__"),
      Values.reference(DOCUMENTS + "c/__id7__"),
      Values.reference(DOCUMENTS + "c/a"),
      Values.reference(DOCUMENTS + "c/a/d/b"),
      Values.reference(DOCUMENTS + "c/a-b"),
      Values.reference(DOCUMENTS + "d/a"),
      Values.point(-1, 5),
      Values.point(1, -5),
      Values.point(1, 5),
      Values.array(),
      Values.array(Values.of(1L)),
      Values.array(Values.of(1L), Values.of(1L)),
      Values.array(Values.of(2L)),
      Values.vector(9),
      Values.vector(1, 1),
      Values.vector(1, 2),
      Values.map(Map.of()),
      Values.map(Map.of("a", Values.of(1L))),
      Values.map(Map.of("a", Values.of(1L), "b", Values.of(0L))),
      Values.map(Map.of("a", Values.of(2L))),
      Values.map(Map.of("b", Values.of(0L))));

  @Test
  void valuesOfAllKindsSortInTheDocumentedOrder() {
    for (int seed = 0; seed < 20; seed++) {
      List<Value> shuffled = new ArrayList<>(SORTED);
      Collections.shuffle(shuffled, new Random(seed));
      shuffled.sort(ValueOrder.INSTANCE);
      assertThat(shuffled).as("seed " + seed).isEqualTo(SORTED);
    }
  }

  @Test
  void theOrderIsAntisymmetricForEveryPair() {
    for (int i = 0; i < SORTED.size(); i++) {
      for (int j = 0; j < SORTED.size(); j++) {
        assertThat(Integer.signum(ValueOrder.INSTANCE.compare(SORTED.get(i), SORTED.get(j))))
            .as(SORTED.get(i) + " against " + SORTED.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void idsThatAreOneNumberAreStillTwoIds() {
    assertThat(PathOrder.compareIds("__id7__", "__id07__")).isNotZero();
    assertThat(PathOrder.compareIds("__id07__", "__id8__")).isNegative();
    assertThat(PathOrder.compareIds("__id7__", "__id7__")).isZero();
  }

  @Test
  void numbersThatAreWorthTheSameAreEqual() {
    assertThat(ValueOrder.equal(Values.of(1L), Values.of(1.0))).isTrue();
    assertThat(ValueOrder.equal(Values.of(0.0), Values.of(-0.0))).isTrue();
    assertThat(ValueOrder.equal(Values.of(0L), Values.of(-0.0))).isTrue();
    assertThat(ValueOrder.equal(Values.of(-0.0), Values.of(0L))).isTrue();
    assertThat(ValueOrder.equal(Values.point(-0.0, 0.0), Values.point(0.0, -0.0)))
        .isTrue();
    assertThat(ValueOrder.equal(Values.of(Double.NaN), Values.of(Double.NaN))).isTrue();
    assertThat(ValueOrder.equal(Values.of(Long.MAX_VALUE), Values.of(0x1p63))).isFalse();
  }
}
