package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Reader sync in thousands of seeded stories.
 *
 * <p>Replay one with {@code mvn -pl sync -am test -Dtest=SyncSimulationTest -Dsyncguard.sync.seed=SEED}, run more with
 * {@code -Dsyncguard.sync.seeds=1000000}, and from another one on with {@code -Dsyncguard.sync.first=SEED}.
 * {@code sync/campaign} does so in pieces.
 */
class SyncSimulationTest {

  private static final int STORIES_FOR_THE_MODEL = 60;

  @Test
  void nothingGoesWrongHoweverTheStepsFallTogether() {
    Long replayed = Long.getLong("syncguard.sync.seed");
    if (replayed != null) {
      new Story(replayed, System.out::println).play();
      return;
    }
    long first = Long.getLong("syncguard.sync.first", 1);
    long seeds = Long.getLong("syncguard.sync.seeds", 2_000);
    long uneventful = LongStream.range(first, first + seeds)
        .parallel()
        .filter(seed -> Seeds.play(seed).edits() < 5)
        .count();
    assertThat(uneventful).as("stories in which hardly anybody read").isLessThan(1 + seeds / 10);
  }

  @Test
  void theSameSeedTellsTheSameStory() {
    assertThat(traceOf(7)).isEqualTo(traceOf(7)).isNotEqualTo(traceOf(8));
  }

  /** {@code models/check} sees whether the model allows all of them. */
  @Test
  void whatHappenedToDocumentsIsToldToTheModel() throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "model-traces", "allowed"));
    Path refused = Files.createDirectories(Path.of("target", "model-traces", "refused"));
    int commits = 0;
    for (long seed = 1; seed <= STORIES_FOR_THE_MODEL; seed++) {
      Story story = new Story(seed, null);
      story.play();
      int number = 0;
      for (DocumentTrace trace : story.documentTraces()) {
        String told = trace.promela();
        Files.writeString(directory.resolve("seed-" + seed + "-" + number++ + ".pml"), told);
        commits += told.split("commits", -1).length - 1;
        for (Map.Entry<String, String> spoilt : trace.spoilt().entrySet()) {
          Files.writeString(refused.resolve(spoilt.getKey() + ".pml"), spoilt.getValue());
        }
      }
    }
    assertThat(commits).isGreaterThan(500);
  }

  private static List<String> traceOf(long seed) {
    List<String> trace = new ArrayList<>();
    new Story(seed, trace::add).play();
    return trace;
  }
}
