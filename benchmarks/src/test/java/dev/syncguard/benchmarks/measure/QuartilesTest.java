package dev.syncguard.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuartilesTest {

  @Test
  void ratiosToNothingHaveQuartilesToo() {
    double infinite = Double.POSITIVE_INFINITY;
    assertThat(Quartiles.of(List.of(infinite)))
        .isEqualTo(new Quartiles(infinite, infinite, infinite));
    assertThat(Quartiles.of(List.of(1.0, 2.0, infinite)))
        .isEqualTo(new Quartiles(1.5, 2, infinite));
  }

  @Test
  void quartilesDoNotDependOnTheOrderOfTheValues() {
    assertThat(Quartiles.of(List.of(5.0, 1.0, 4.0, 2.0, 3.0))).isEqualTo(new Quartiles(2, 3, 4));
  }

  @Test
  void quartilesBetweenTwoValuesAreInterpolated() {
    assertThat(Quartiles.of(List.of(1.0, 2.0, 3.0, 4.0))).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
  }

  @Test
  void oneValueIsAllItsQuartiles() {
    assertThat(Quartiles.of(List.of(7.0))).isEqualTo(new Quartiles(7, 7, 7));
  }

  @Test
  void thereAreNoQuartilesOfNothing() {
    assertThatThrownBy(() -> Quartiles.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void quartilesThatDoNotAscendAreRefused() {
    assertThatThrownBy(() -> new Quartiles(2, 1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Quartiles(1, Double.NaN, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void jainIsOneIfAllGotTheSameAndOneNthIfOneGotEverything() {
    assertThat(Fairness.jain(List.of(5L, 5L, 5L, 5L))).isEqualTo(1);
    assertThat(Fairness.jain(List.of(20L, 0L, 0L, 0L))).isEqualTo(0.25);
    assertThat(Fairness.jain(List.of(3L, 1L))).isCloseTo(0.8, within(1e-9));
  }
}
