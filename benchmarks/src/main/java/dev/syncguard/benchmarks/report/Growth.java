package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;
import java.util.Collection;
import java.util.List;

/**
 * A part of a chart: figures that are measured in the same unit, as lines over something that grows tenfold from one step of
 * the scale to the next.
 *
 * @param axis what grows
 */
public record Growth(String title, String axis, List<Line> lines) implements Figure {

  /** One of the lines; its points ascend. */
  public record Line(String label, List<Point> points) {

    public Line {
      points = List.copyOf(points);
      if (points.isEmpty()) {
        throw new IllegalArgumentException("A line without points shows nothing");
      }
    }
  }

  /** What was measured at one size. */
  public record Point(double size, Quartiles value) {

    public Point {
      if (!(size >= 1)) {
        throw new IllegalArgumentException("The scale begins at 1, but a size was " + size);
      }
    }
  }

  public Growth {
    lines = List.copyOf(lines);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("A panel without lines shows nothing");
    }
  }

  private List<Point> points() {
    return lines.stream().map(Line::points).flatMap(Collection::stream).toList();
  }

  /** Returns where the vertical scale ends, so that all points and their whiskers are on it. */
  double highest() {
    return points().stream().mapToDouble(point -> point.value().upper()).max().orElseThrow();
  }

  double smallest() {
    return points().stream().mapToDouble(Point::size).min().orElseThrow();
  }

  double largest() {
    return points().stream().mapToDouble(Point::size).max().orElseThrow();
  }
}
