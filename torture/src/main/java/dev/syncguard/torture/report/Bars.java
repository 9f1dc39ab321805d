package dev.syncguard.torture.report;

import java.util.List;
import java.util.Locale;

/** A picture of how many values there are of each size. */
final class Bars {

  private static final int LABELS = 70;
  private static final int WIDTH = 330;
  private static final int ROW = 20;

  private Bars() {}

  static String of(String title, List<Sample.Bucket> buckets) {
    long most =
        Math.max(1, buckets.stream().mapToLong(Sample.Bucket::count).max().orElse(1));
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 ")
        .append(LABELS + WIDTH + 70)
        .append(' ')
        .append(Math.max(1, buckets.size()) * ROW + 4)
        .append("\" role=\"img\" aria-label=\"")
        .append(Page.escape(title))
        .append("\">");
    for (int i = 0; i < buckets.size(); i++) {
      Sample.Bucket bucket = buckets.get(i);
      double width = WIDTH * (double) bucket.count() / most;
      svg.append(String.format(
          Locale.ROOT,
          "<text class=\"l\" x=\"%d\" y=\"%d\">%s</text><rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\""
              + " height=\"%d\"/><text class=\"c\" x=\"%.1f\" y=\"%d\">%d</text>",
          LABELS - 8,
          i * ROW + 15,
          Page.escape(bucket.label()),
          LABELS,
          i * ROW + 3,
          width,
          ROW - 5,
          LABELS + width + 6,
          i * ROW + 15,
          bucket.count()));
    }
    return svg.append("</svg>").toString();
  }
}
