package dev.syncguard.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.benchmarks.sqlite.SqliteTopic;
import dev.syncguard.benchmarks.startup.StartUpTopic;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void everythingIsMeasuredUnlessSomebodyChooses() {
    assertThat(parse().topics()).containsExactly("sqlite", "start-up");
    assertThat(parse("--only", "start-up").topics()).containsExactly("start-up");
    assertThat(parse("--quick").topics()).containsExactly("sqlite");
  }

  @Test
  void aQuickRunLeavesTheResultsAsTheyAre() {
    assertThat(parse().results()).isEqualTo(Path.of("results"));
    assertThat(parse("--quick").results()).isEqualTo(Path.of("work", "quick-results"));
  }

  @Test
  void contestsTakeLongerAndGetHalfTheRounds() {
    assertThat(parse("--rounds", "5").pace().rounds()).isEqualTo(5);
    assertThat(parse("--rounds", "5").pace().contests()).isEqualTo(3);
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThatThrownBy(() -> parse("--only", "mysql"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sqlite, start-up");
    assertThatThrownBy(() -> parse("--rounds", "0")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> parse("--rounds")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> parse("fast")).isInstanceOf(IllegalArgumentException.class);
  }

  private static Options parse(String... args) {
    return Options.parse(
        List.of(new SqliteTopic(), new StartUpTopic()),
        Stream.concat(Stream.of("results", "work", "syncguard"), Stream.of(args))
            .toArray(String[]::new));
  }
}
