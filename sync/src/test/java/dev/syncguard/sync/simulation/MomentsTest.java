package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MomentsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2030-03-01T06:00:00Z",
        "2028-02-29T23:59:59.1Z",
        "2030-03-01T06:00:00.120Z",
        "2030-03-01T06:00:00.000001Z",
        "2030-12-31T06:00:00.123456789Z",
        "1969-12-31T23:59:59.999Z",
        "0001-01-01T00:00:00Z",
        "2030-03-01T24:00:00Z",
        "2030-03-01T06:00:00+01:00"
      })
  void aTimeIsReadAndWrittenAsByTheLibrary(String text) {
    Instant expected = Instant.parse(text);
    Timestamp read = Moments.timestamp(text);
    assertThat(Instant.ofEpochSecond(read.getSeconds(), read.getNanos())).isEqualTo(expected);
    assertThat(Moments.text(read)).isEqualTo(expected.toString());
    assertThat(Moments.millis(text)).isEqualTo(expected.toEpochMilli());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fri, 01 Mar 2030 06:00:00 GMT",
        "Tue, 29 Feb 2028 23:59:59 GMT",
        "Wed, 31 Dec 1969 00:00:07 GMT"
      })
  void theDateOfAnAnswerIsThatOfHttp(String text) {
    long second =
        DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from).getEpochSecond();
    assertThat(Moments.httpDate(second)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "2030-02-29T06:00:00Z",
        "2030-13-01T06:00:00Z",
        "2030-03-01T06:60:00Z",
        "2030-03-01T06:00:00.1234567890Z",
        "2030-03-01 06:00:00Z",
        "2030-03-01T06:00:00"
      })
  void whatNamesNoMomentIsRefused(String text) {
    assertThatThrownBy(() -> Moments.timestamp(text)).isInstanceOf(DateTimeParseException.class);
  }
}
