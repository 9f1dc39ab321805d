package dev.syncguard.sync.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.sync.simulation.Recordings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recording must hold all that matters, or a replay would prove nothing. */
class ReplayTest {

  @Test
  void anEngineThatHearsTheSameDoesTheSame() {
    for (long seed = 1; seed <= 20; seed++) {
      for (String recording : Recordings.of(seed)) {
        assertThat(Replay.play(recording)).isEqualTo(recording.lines().count());
      }
    }
  }

  @Test
  void anEngineThatHearsSomethingElseIsNoticed() {
    List<String> recordings = Recordings.of(3);
    String changed = recordings.stream()
        .filter(recording -> recording.contains("?wall\t18"))
        .findFirst()
        .orElseThrow()
        .replace("?wall\t18", "?wall\t17");

    assertThatExceptionOfType(Replay.Difference.class)
        .isThrownBy(() -> Replay.play(changed))
        .withMessageContaining("but now");
  }

  @Test
  void anEngineThatStopsActingIsNoticed() {
    String recording = Recordings.of(3).get(0) + "\n1<send\t99\tGET\tsomewhere\t\\0\t1";

    assertThatExceptionOfType(Replay.Difference.class)
        .isThrownBy(() -> Replay.play(recording))
        .withMessageContaining("nothing more");
  }

  @Test
  void anyTextSurvivesInALine() {
    String text = "tab\t newline\n backslash\\ \\t \\0 ü 😀";

    assertThat(Words.split(Words.join("a", text, null, ""))).containsExactly("a", text, null, "");
  }
}
