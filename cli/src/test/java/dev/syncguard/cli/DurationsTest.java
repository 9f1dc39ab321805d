package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "5m, PT5M",
    "1h, PT1H",
    "2d, PT48H",
    "1h30m, PT1H30M",
    "0s, PT0S",
    "PT5M, PT5M",
    "P1DT1S, PT24H1S",
    "pt0.25s, PT0.25S"
  })
  void readsWhatPeopleWrite(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "5 s",
        "-5s",
        "s",
        "5x",
        "1.5s",
        "5s ",
        "PT-5S",
        "-PT5S",
        "forever",
        "99999999999s",
        "५s"
      })
  void refusesWhatMightMeanSomethingElse(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("30s");
  }

  @Test
  void neverRepeatsWhatItCouldNotRead() {
    assertThatThrownBy(() -> Durations.parse("hunter2")).message().doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0.0s",
    "PT-3S, 0.0s",
    "PT0.999S, 0.9s",
    "PT9.95S, 9.9s",
    "PT59.9S, 59s",
    "PT61S, 1m 1s",
    "PT3599S, 59m 59s",
    "PT1H30M5S, 1h 30m",
    "P3DT5H, 3d 5h"
  })
  void writesTheTwoLargestUnits(Duration duration, String expected) {
    assertThat(Durations.text(duration)).isEqualTo(expected);
  }
}
