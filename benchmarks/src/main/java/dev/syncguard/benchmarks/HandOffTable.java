package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.HandOffs;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Contests as a table: how often the lock went from hand to hand, how fairly, and how that compares. */
public final class HandOffTable {

  private static final String OURS = "SyncGuard";
  private static final int WARM_UP_CONTESTS = 3;

  private final Series<HandOffs> series;
  private final List<Comparison> comparisons = new ArrayList<>();
  private final List<Goal> fairness = new ArrayList<>();

  private record Comparison(
      String name, String bar, Quartiles ratio, Optional<Target> target, String remedy) {}

  private HandOffTable(Series<HandOffs> series) {
    this.series = series;
  }

  /** Lets all arenas have their contests in turn, after a longer one without a pause for the compilers. */
  public static HandOffTable measure(
      String title, Rounds rounds, Duration contest, Map<String, Arena> arenas) throws Exception {
    Map<String, Callable<HandOffs>> contests = new LinkedHashMap<>();
    for (Map.Entry<String, Arena> arena : arenas.entrySet()) {
      if (rounds.warmUps() > 0) {
        rounds.progress().accept(title + ": warming up " + arena.getKey());
        arena.getValue().warmUp(contest.multipliedBy(WARM_UP_CONTESTS));
      }
      contests.put(arena.getKey(), () -> arena.getValue().contest(contest));
    }
    return new HandOffTable(rounds.run(title, contests));
  }

  /** Adds a ratio for information. */
  public HandOffTable compare(String name, String bar) {
    return compare(name, bar, Optional.empty(), "");
  }

  /** Adds a ratio that should be at least so high. */
  public HandOffTable compare(String name, String bar, double atLeast) {
    return compare(name, bar, atLeast, "");
  }

  /** Adds a ratio that should be at least so high, and says what it would take if it is not. */
  public HandOffTable compare(String name, String bar, double atLeast, String remedy) {
    return compare(name, bar, Optional.of(Target.atLeast(atLeast)), remedy);
  }

  private HandOffTable compare(String name, String bar, Optional<Target> target, String remedy) {
    comparisons.add(
        new Comparison(name, bar, series.ratio(name, bar, HandOffs::perSecond), target, remedy));
    return this;
  }

  /** Asks that all contenders get the same share: that Jain's index is at least so high. */
  public HandOffTable fair(String name, double atLeast) {
    fairness.add(new Goal(
        "Jain's index of " + name,
        series.of(name, HandOffs::jain),
        Target.atLeast(atLeast),
        "longer contests: a contender that gets no processor for a while misses turns"));
    return this;
  }

  /** Returns all of it as a part of a report. */
  public Section section(String title, String text) {
    return new Section(
        title,
        text,
        List.of("", "hand-offs/s", "longest wait ms", "Jain", "× its limits"),
        series.names().stream().map(this::row).toList(),
        goals(),
        panels());
  }

  private List<String> row(String name) {
    List<String> ratios = comparisons.stream()
        .filter(comparison -> comparison.name.equals(name))
        .map(comparison -> Numbers.with(comparison.ratio) + " × " + comparison.bar)
        .toList();
    return List.of(
        name,
        Numbers.with(series.of(name, HandOffs::perSecond)),
        Numbers.with(series.of(name, HandOffs::longestWaitMillis)),
        Numbers.with(series.of(name, HandOffs::jain)),
        String.join("<br>", ratios));
  }

  private List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      comparison.target.ifPresent(target -> goals.add(new Goal(
          "hand-offs/s of " + comparison.name + " × " + comparison.bar,
          comparison.ratio,
          target,
          comparison.remedy)));
    }
    goals.addAll(fairness);
    return goals;
  }

  /** Returns a panel for each bar that a target is about, with all who are compared with it. */
  private List<Panel> panels() {
    List<Panel> panels = new ArrayList<>();
    for (Comparison goal : comparisons) {
      if (goal.target.isPresent()) {
        List<Bar> bars = new ArrayList<>();
        bars.add(new Bar(goal.bar, new Quartiles(1, 1, 1), false));
        comparisons.stream()
            .filter(other -> other.bar.equals(goal.bar))
            .forEach(
                other -> bars.add(new Bar(other.name, other.ratio, other.name.startsWith(OURS))));
        panels.add(new Panel("Hand-offs per second × " + goal.bar, bars, goal.target));
      }
    }
    return panels;
  }
}
