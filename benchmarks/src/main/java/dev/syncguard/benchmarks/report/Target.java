package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;

/** A bound that a figure should keep. */
public record Target(Direction direction, double bound) {

  /** On which side of the bound a figure should be. */
  public enum Direction {
    AT_LEAST("≥ "),
    AT_MOST("≤ "),
    BELOW("< ");

    private final String sign;

    Direction(String sign) {
      this.sign = sign;
    }
  }

  public static Target atLeast(double bound) {
    return new Target(Direction.AT_LEAST, bound);
  }

  public static Target atMost(double bound) {
    return new Target(Direction.AT_MOST, bound);
  }

  public static Target below(double bound) {
    return new Target(Direction.BELOW, bound);
  }

  public boolean isMetBy(double value) {
    return switch (direction) {
      case AT_LEAST -> value >= bound;
      case AT_MOST -> value <= bound;
      case BELOW -> value < bound;
    };
  }

  /** Returns whether the target was met: by the median at least, and with certainty if by its worse quartile too. */
  public String verdict(Quartiles measured) {
    if (isSurelyMetBy(measured)) {
      return "met";
    }
    return isMetBy(measured.median())
        ? "met by the median; the worse quartile misses by " + distance(worse(measured))
        : "**missed** by " + distance(measured.median());
  }

  /** Returns whether even the worse quartile keeps the bound. */
  boolean isSurelyMetBy(Quartiles measured) {
    return isMetBy(worse(measured));
  }

  private double worse(Quartiles measured) {
    return direction == Direction.AT_LEAST ? measured.lower() : measured.upper();
  }

  private String distance(double value) {
    return Numbers.percent(Math.abs(value - bound) / bound);
  }

  @Override
  public String toString() {
    return direction.sign + Numbers.plain(bound);
  }
}
