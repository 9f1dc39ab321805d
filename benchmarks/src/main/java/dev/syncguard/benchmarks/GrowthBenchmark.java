package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Growth;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Whether an operation costs the same in a store that knows ten of something and in one that knows a million. */
public final class GrowthBenchmark {

  private static final int FEWEST = 10;
  private static final int STEP = 100;
  private static final int DIGITS = 7;

  /** Our reading of flat: the median operation costs at most a quarter more. */
  private static final Target FLAT = Target.atMost(1.25);

  private final Topic.Setting setting;
  private final String title;
  private final String text;
  private final String what;

  /** Opens a store of this size, as a participant with this name. */
  public interface Store {
    Participant open(String name, int size) throws Exception;
  }

  /** A benchmark whose section has this title and this text; {@code what} names in the plural what there are more and more of. */
  public GrowthBenchmark(Topic.Setting setting, String title, String text, String what) {
    this.setting = setting;
    this.title = title;
    this.text = text;
    this.what = what;
  }

  /** Measures stores from ten on, a hundred times as many each time, up to what the pace asks for. */
  public Section measure(Store opening) throws Exception {
    Map<Integer, Participant> stores = new LinkedHashMap<>();
    try {
      for (int size : sizes()) {
        setting.progress().accept(title + ": storing " + words(size));
        stores.put(size, opening.open(words(size), size));
      }
      String fewest = words(FEWEST);
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(1, setting.pace().slice(), setting.pace().warmUp()),
          new ArrayList<>(stores.values()),
          List.of(fewest));
      String most = words(setting.pace().fences());
      Quartiles growth = table.series().ratio(most, fewest, Slice::p50Micros);
      return new Section(
          title,
          text + " The target is our reading of *flat*: the median operation costs at most a"
              + " quarter more.",
          table.header(),
          table.rows(),
          List.of(new Goal(
              title.toLowerCase(Locale.ROOT) + ": p50, " + most + " × " + fewest, growth, FLAT)),
          List.of(new Growth(title + ": µs", what, List.of(line("p50", stores.keySet(), table)))));
    } finally {
      stores.values().forEach(Participant::close);
    }
  }

  private Growth.Line line(String label, Iterable<Integer> sizes, LoadTable table) {
    List<Growth.Point> points = new ArrayList<>();
    for (int size : sizes) {
      points.add(new Growth.Point(size, table.series().of(words(size), Slice::p50Micros)));
    }
    return new Growth.Line(label, points);
  }

  /** Returns the sizes of all stores, ascending. */
  public List<Integer> sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = FEWEST; size < setting.pace().fences(); size *= STEP) {
      sizes.add(size);
    }
    sizes.add(setting.pace().fences());
    return sizes;
  }

  private String words(int size) {
    return (size < 100 ? Integer.toString(size) : Numbers.plain(size)) + " " + what;
  }

  /** Returns keys chosen at random from so many; {@link #key} says how they are spelled. */
  public static SyncGuardPairs.Keys randomKeys(int size) {
    Random random = new Random(size);
    return () -> key(random.nextInt(size));
  }

  /** Returns a key that a store can spell by itself: seven digits behind {@code key-}. */
  public static String key(int number) {
    String digits = Integer.toString(number);
    return "key-" + "0".repeat(DIGITS - digits.length()) + digits;
  }
}
