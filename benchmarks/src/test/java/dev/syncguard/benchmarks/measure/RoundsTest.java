package dev.syncguard.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class RoundsTest {

  private final List<String> calls = new ArrayList<>();

  @Test
  void everybodyIsMeasuredOnceInEachRoundAndWarmUpsDoNotCount() throws Exception {
    Series<Double> series = new Rounds(3, 2, unused -> {}).run("test", participants());

    assertThat(calls).hasSize(10);
    for (int round = 0; round < 5; round++) {
      assertThat(calls.subList(2 * round, 2 * round + 2)).containsExactlyInAnyOrder("slow", "fast");
    }
    assertThat(series.names()).containsExactly("slow", "fast");
    // The calls were counted from 1; the first two rounds were warm-ups.
    assertThat(series.of("slow", value -> value)).isEqualTo(new Quartiles(3.5, 4, 4.5));
  }

  @Test
  void ratiosAreTakenInsideEachRound() throws Exception {
    Series<Double> series = new Rounds(5, 0, unused -> {}).run("test", participants());

    // The machine changed fivefold from round to round, but who is twice as fast stays so.
    assertThat(series.ratio("fast", "slow", value -> value)).isEqualTo(new Quartiles(2, 2, 2));
  }

  @Test
  void twoWhoGotNothingDoneInARoundAreEqual() throws Exception {
    Series<Double> series = new Rounds(1, 0, unused -> {}).run("test", participants());

    assertThat(series.ratio("fast", "slow", value -> 0)).isEqualTo(new Quartiles(1, 1, 1));
  }

  @Test
  void nobodyIsComparedWithSomebodyWhoDidNotTakePart() throws Exception {
    Series<Double> series = new Rounds(1, 0, unused -> {}).run("test", participants());

    assertThatThrownBy(() -> series.ratio("fast", "nobody", value -> value))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLoadTellsHowLongOperationsTookAndHowManyThereWere() {
    Slice slice = Slice.of(List.of(new long[] {1_000, 3_000}, new long[] {2_000}), 0.5);

    assertThat(slice).isEqualTo(new Slice(6, 2, 2));
  }

  @Test
  void aParticipantThatBreaksEndsTheRun() {
    Participant broken = new Participant() {
      @Override
      public String name() {
        return "broken one";
      }

      @Override
      public Worker worker(int thread) {
        return () -> {
          throw new IllegalStateException("out of order");
        };
      }

      @Override
      public void close() {}
    };

    assertThatThrownBy(() -> new Load(2, Duration.ofMillis(1), 0).on(broken))
        .hasMessageContaining("broken one")
        .hasRootCauseMessage("out of order");
  }

  private Map<String, Callable<Double>> participants() {
    Map<String, Callable<Double>> participants = new LinkedHashMap<>();
    participants.put("slow", () -> count("slow"));
    participants.put("fast", () -> 2 * count("fast"));
    return participants;
  }

  private double count(String name) {
    calls.add(name);
    return calls.stream().filter(name::equals).count();
  }
}
