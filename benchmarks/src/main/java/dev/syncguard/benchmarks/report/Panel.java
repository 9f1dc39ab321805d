package dev.syncguard.benchmarks.report;

import java.util.List;
import java.util.Optional;

/** A part of a chart: bars that are measured in the same unit, and the target for ours. */
public record Panel(String title, List<Bar> bars, Optional<Target> target) implements Figure {

  public Panel {
    bars = List.copyOf(bars);
    if (bars.isEmpty()) {
      throw new IllegalArgumentException("A panel without bars shows nothing");
    }
  }

  /** Returns where the scale ends, so that all bars, their whiskers and the target are on it. */
  double end() {
    double longest = bars.stream().mapToDouble(bar -> bar.value().upper()).max().orElseThrow();
    return Math.max(longest, target.map(Target::bound).orElse(0.0));
  }
}
