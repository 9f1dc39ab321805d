package dev.syncguard.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What was measured of each participant, round by round. */
public final class Series<T> {

  private final Map<String, List<T>> results;

  Series(Map<String, List<T>> results) {
    this.results = results;
  }

  /** Returns the participants in the order in which they were named. */
  public Set<String> names() {
    return results.keySet();
  }

  /** Returns the quartiles of one of the things measured. */
  public Quartiles of(String name, ToDoubleFunction<T> what) {
    return Quartiles.of(rounds(name).stream().map(what::applyAsDouble).toList());
  }

  /**
   * Returns the quartiles of the ratios to another participant, each taken inside one round. Two who got nothing done, as
   * in a round that is too short for either, are equal.
   */
  public Quartiles ratio(String name, String bar, ToDoubleFunction<T> what) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds(name).size(); round++) {
      double measured = what.applyAsDouble(rounds(name).get(round));
      double other = what.applyAsDouble(rounds(bar).get(round));
      ratios.add(measured == 0 && other == 0 ? 1 : measured / other);
    }
    return Quartiles.of(ratios);
  }

  private List<T> rounds(String name) {
    List<T> rounds = results.get(name);
    if (rounds == null) {
      throw new IllegalArgumentException("Nobody called " + name + " took part");
    }
    return rounds;
  }
}
