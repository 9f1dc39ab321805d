package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Whether a pair costs the same in a store that remembers ten fences and in one that remembers a million. */
final class FencesBenchmark {

  private static final int FEWEST = 10;
  private static final Target FLAT = Target.atMost(1.25);

  private final Topic.Setting setting;

  FencesBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section onDisk() throws Exception {
    return measure(
        "Stored fences",
        "Pairs on keys chosen at random from all that the store knows. The target is our reading of"
            + " *flat*: the median operation costs at most a quarter more.",
        setting.files()::onDisk);
  }

  Section inMemory() throws Exception {
    return measure(
        "Stored fences without a disk",
        "The same on files in memory, where no wait for the disk hides the work of a larger tree.",
        setting.files()::inMemory);
  }

  private Section measure(String title, String text, Function<String, Path> file) throws Exception {
    List<Participant> stores = new ArrayList<>();
    try {
      List<Integer> sizes = sizes();
      for (int fences : sizes) {
        setting.progress().accept(title + ": storing " + words(fences));
        Path path = file.apply("fences-" + fences + ".db");
        stores.add(new SyncGuardPairs(
            words(fences), SqliteFences.store(path, fences), thread -> randomKeys(fences)));
      }
      String fewest = words(FEWEST);
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(1, setting.pace().slice(), setting.pace().warmUp()),
          stores,
          List.of(fewest));
      Quartiles growth =
          table.series().ratio(words(setting.pace().fences()), fewest, Slice::p50Micros);
      return new Section(
          title,
          text,
          table.header(),
          table.rows(),
          List.of(new Goal(
              title.toLowerCase(Locale.ROOT) + ": p50 of a pair, "
                  + words(setting.pace().fences()) + " × " + fewest,
              growth,
              FLAT)),
          List.of(panel(title, table)));
    } finally {
      stores.forEach(Participant::close);
    }
  }

  private List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = FEWEST; size < setting.pace().fences(); size *= 100) {
      sizes.add(size);
    }
    sizes.add(setting.pace().fences());
    return sizes;
  }

  private static SyncGuardPairs.Keys randomKeys(int fences) {
    Random random = new Random(fences);
    return () -> SqliteFences.key(random.nextInt(fences));
  }

  private static Panel panel(String title, LoadTable table) {
    return new Panel(
        title + ": p50 of a pair × " + words(FEWEST),
        table.series().names().stream()
            .map(name ->
                new Bar(name, table.series().ratio(name, words(FEWEST), Slice::p50Micros), true))
            .toList(),
        Optional.of(FLAT));
  }

  private static String words(int fences) {
    return (fences < 100 ? Integer.toString(fences) : Numbers.plain(fences)) + " fences";
  }
}
