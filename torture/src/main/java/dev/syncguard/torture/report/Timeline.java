package dev.syncguard.torture.report;

import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Tenure;
import dev.syncguard.torture.history.Violation;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A picture of who held which key when, what was done to whom, and where a promise was broken.
 *
 * <p>A column of the picture may stand for many leases; it shows the one that filled most of it.
 */
final class Timeline {

  private static final int LEFT = 110;
  private static final int WIDTH = 1000;
  private static final int LANE = 26;
  private static final int TOP = 22;

  private final Findings findings;
  private final double length;
  private final StringBuilder svg = new StringBuilder();

  private Timeline(Findings findings) {
    this.findings = findings;
    this.length = Math.max(1, findings.millis(findings.outcome().ended()));
  }

  static String of(Findings findings) {
    return new Timeline(findings).draw();
  }

  private double x(double millis) {
    return LEFT + WIDTH * Math.min(1, Math.max(0, millis / length));
  }

  private String draw() {
    List<String> keys = List.copyOf(findings.leases().keySet());
    int workers = findings.outcome().settings().workers();
    int rows = keys.size() + workers + 1;
    int height = TOP + rows * LANE + 30;
    svg.append("<svg viewBox=\"0 0 ")
        .append(LEFT + WIDTH + 10)
        .append(' ')
        .append(height)
        .append("\" role=\"img\" aria-label=\"Who held which key, and what was done to whom\">");
    for (int i = 0; i < keys.size(); i++) {
      label(i, name(keys.get(i)));
      holders(i, findings.leases().getOrDefault(keys.get(i), List.of()));
      violations(i, keys.get(i));
    }
    for (int worker = 0; worker < workers; worker++) {
      label(keys.size() + worker, "worker " + worker);
      hurts(keys.size() + worker, worker);
    }
    label(keys.size() + workers, "store");
    hurts(keys.size() + workers, Hurt.STORE);
    axis(TOP + rows * LANE);
    return svg.append("</svg>").toString();
  }

  /** What all keys begin with tells nobody anything. */
  private String name(String key) {
    String prefix = findings.outcome().settings().prefix();
    return Page.escape(key.startsWith(prefix) ? key.substring(prefix.length()) : key);
  }

  private void label(int row, String text) {
    double y = TOP + row * (double) LANE;
    svg.append(tag("<text class=\"l\" x=\"%d\" y=\"%.1f\">%s</text>", LEFT - 8, y + 16, text));
    svg.append(tag(
        "<rect class=\"lane\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>",
        LEFT, y + 3, WIDTH, LANE - 6));
  }

  private void holders(int row, List<Tenure> tenures) {
    double[] most = new double[WIDTH];
    int[] holder = new int[WIDTH];
    for (Tenure tenure : tenures) {
      double from = findings.millis(tenure.grant().at()) / length * WIDTH;
      double to = findings.millis(tenure.shownUntil()) / length * WIDTH;
      for (int column = (int) Math.max(0, from); column <= Math.min(WIDTH - 1, to); column++) {
        double share = Math.min(to, column + 1.0) - Math.max(from, column);
        if (share >= most[column]) {
          most[column] = share;
          holder[column] = tenure.grant().worker() + 1;
        }
      }
    }
    int begin = 0;
    for (int column = 1; column <= WIDTH; column++) {
      if (column == WIDTH || holder[column] != holder[begin]) {
        if (holder[begin] > 0) {
          svg.append(tag(
              "<rect class=\"w%d\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>",
              (holder[begin] - 1) % 8,
              LEFT + begin,
              TOP + row * (double) LANE + 3,
              column - begin,
              LANE - 6));
        }
        begin = column;
      }
    }
  }

  private void hurts(int row, int worker) {
    for (Hurt hurt : findings.hurts()) {
      if (hurt.worker() == worker) {
        double from = x(findings.millis(hurt.at()));
        double to = x(findings.millis(hurt.until()));
        String kind = hurt.fault().equals(Hurt.KILL) ? "kill" : "hurt";
        svg.append(tag(
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"><title>%s at %s</title></rect>",
            kind,
            from,
            TOP + row * (double) LANE + 5,
            Math.max(2, to - from),
            LANE - 10,
            hurt.fault(),
            Sample.text(findings.millis(hurt.at()))));
      }
    }
  }

  private void violations(int row, String key) {
    for (Violation violation : findings.outcome().violations()) {
      if (violation.key().equals(key)) {
        double x = x(findings.millis(violation.at()));
        double y = TOP + row * (double) LANE;
        svg.append(tag(
            "<path class=\"bad\" d=\"M%.1f %.1f l-5 -8 l10 0 z\"><title>%s</title></path>",
            x, y + 5, violation.kind().title()));
      }
    }
  }

  private void axis(double y) {
    for (Map.Entry<Double, String> tick : Ticks.of(length).entrySet()) {
      double x = x(tick.getKey());
      svg.append(tag(
          "<line class=\"tick\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>",
          x, TOP, x, y + 4));
      svg.append(
          tag("<text class=\"t\" x=\"%.1f\" y=\"%.1f\">%s</text>", x, y + 18, tick.getValue()));
    }
  }

  private static String tag(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
