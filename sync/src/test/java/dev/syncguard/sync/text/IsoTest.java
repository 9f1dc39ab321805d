package dev.syncguard.sync.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.state.Limits;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTest {

  @Test
  void textAndMomentAgreeWithThePlatform() {
    java.util.Random random = new java.util.Random(7);
    for (int i = 0; i < 5000; i++) {
      long millis = (long) (random.nextDouble() * 253_402_300_799_999L);
      String text = Iso.text(millis);
      assertThat(Instant.parse(text).toEpochMilli()).as(text).isEqualTo(millis);
      assertThat(Iso.millis(text)).as(text).isEqualTo(millis);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-25T12:00:00Z", "2026-02-25T12:00Z", "2026-02-25T12:00:00.1Z",
            "2026-02-25T12:00:00.035900Z",
        "2024-02-29T23:59:59.123456789Z", "2026-02-25T12:00:00+02:00", "1969-12-31T23:59:59.999Z",
            "2026-01-01T00:30:00-05:30"
      })
  void momentsAreRead(String text) {
    Instant expected = OffsetDateTime.parse(text).toInstant();
    long micros = expected.getEpochSecond() * 1_000_000 + expected.getNano() / 1000;
    assertThat(Iso.micros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @Tag("PR-PERSIST-40")
  @Tag("T14")
  @ValueSource(
      strings = {
        "",
        "2026",
        "2026-02-25",
        "2026-13-45T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-02-25T24:00:00Z",
        "2026-02-25T12:00:60Z",
        "2026-02-25T12:00:00",
        "2026-02-25 12:00:00Z",
        "2026-02-25T12:00:00.Z",
        "2026-02-25T12:00:00.1234567890Z",
        "2026-02-25T12:00:00z",
        "2026-02-25T12:00:00+2:00",
        "2026-02-25T12:00:00Zx",
        "x2026-02-25T12:00:00Z",
        "2026-02-25T12:00:00.0000000000000000000000Z"
      })
  void whatNamesNoMomentIsNone(String text) {
    assertThat(Iso.micros(text)).isEqualTo(Iso.NONE);
    assertThat(Limits.normalLoadFrom(text)).isEmpty();
  }

  @Test
  void theDateHeaderOfHttpIsRead() {
    assertThat(Iso.httpDateMillis("Sun, 06 Nov 1994 08:49:37 GMT"))
        .isEqualTo(Instant.parse("1994-11-06T08:49:37Z").toEpochMilli());
    for (String wrong : new String[] {
      "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"
    }) {
      assertThat(Iso.httpDateMillis(wrong)).isEqualTo(Iso.NONE);
    }
  }

  @Test
  void aDayIsThatOfUtc() {
    assertThat(Iso.day(Iso.millis("2026-02-25T23:59:59.999Z"))).isEqualTo("2026-02-25");
    assertThat(Iso.day(Iso.millis("2026-02-26T00:00:00Z"))).isEqualTo("2026-02-26");
  }
}
