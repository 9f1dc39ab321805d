package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;
import java.util.Locale;

/** How numbers look in a report: three digits say enough about a measurement. */
public final class Numbers {

  private Numbers() {}

  public static String plain(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, "%.2f", value);
  }

  public static String with(Quartiles values) {
    return plain(values.median()) + " [" + plain(values.lower()) + "–" + plain(values.upper())
        + "]";
  }

  static String percent(double part) {
    return part < 0.01 ? "less than 1 %" : String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }
}
