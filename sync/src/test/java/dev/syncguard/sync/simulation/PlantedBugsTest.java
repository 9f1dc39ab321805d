package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whether the simulation would notice: each planted bug must break a promise within a few thousand stories.
 *
 * <p>The story that gave a bug away last time is told first, so that the rare ones need not be looked for again each time. If it does
 * not any more, because engine or simulation have changed, all are told; {@code -Dsyncguard.sync.bugs.record=true} writes down what
 * was found.
 */
@Tag("slow")
class PlantedBugsTest {

  /** Each bug is looked for until it is found; the rarest need some 2,200 stories. */
  private static final long ENOUGH = 5_000;

  /**
   * How a search ended.
   *
   * @param story the first one that went wrong
   * @param by the kind of what gave the bug away
   */
  private record Search(long story, String by, String words) {
    static final Search IN_VAIN = new Search(ENOUGH + 1, "nothing", "");
  }

  private static final Path RECORD = Path.of("src", "test", "resources", "planted-bugs.tsv");

  private static Map<PlantedBug, Search> searches = Map.of();

  /** Compiling and warming up takes longer than the stories, so all cores look at once. */
  @BeforeAll
  static void search(@TempDir Path scratch) throws IOException {
    Map<String, Long> lastTime = readRecord();
    searches = bugs().parallelStream()
        .collect(Collectors.toMap(
            Function.identity(),
            bug -> search(bug, lastTime.getOrDefault(bug.name(), 1L), scratch)));
    if (Boolean.getBoolean("syncguard.sync.bugs.record")) {
      writeRecord(lastTime);
    }
  }

  private static Map<String, Long> readRecord() throws IOException {
    return Files.readAllLines(RECORD).stream()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .collect(Collectors.toMap(columns -> columns[0], columns -> Long.parseLong(columns[1])));
  }

  private static void writeRecord(Map<String, Long> lastTime) throws IOException {
    List<String> lines = new ArrayList<>(List.of("bug\tstory that gives it away"));
    for (PlantedBug bug : PlantedBugs.ALL) {
      Search search = searches.get(bug);
      long story = search == null ? lastTime.getOrDefault(bug.name(), 1L) : search.story();
      lines.add(bug.name() + "\t" + story);
    }
    Files.write(RECORD, lines);
  }

  private static Search search(PlantedBug bug, long lastTime, Path scratch) {
    LongConsumer stories;
    try {
      stories = MutatedEngine.with(bug, Files.createTempDirectory(scratch, "bug"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    PrimitiveIterator.OfLong seeds = LongStream.concat(
            LongStream.of(lastTime), LongStream.rangeClosed(1, ENOUGH))
        .iterator();
    while (seeds.hasNext()) {
      long seed = seeds.nextLong();
      try {
        stories.accept(seed);
      } catch (RuntimeException | AssertionError found) {
        return new Search(
            seed, found.getClass().getSimpleName(), String.valueOf(found.getMessage()));
      }
    }
    return Search.IN_VAIN;
  }

  /** Returns all bugs, or those whose name contains {@code -Dsyncguard.sync.bug}. */
  static List<PlantedBug> bugs() {
    String wanted = System.getProperty("syncguard.sync.bug", "");
    return PlantedBugs.ALL.stream().filter(bug -> bug.name().contains(wanted)).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bugs")
  void isFound(PlantedBug bug) {
    Search search = searches.getOrDefault(bug, Search.IN_VAIN);
    assertThat(search.by()).as("what gave it away: %s", search.words()).isEqualTo("Violation");
    assertThat(search.story()).isLessThanOrEqualTo(ENOUGH);
  }
}
