package dev.syncguard.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Lines over a logarithmic scale. A thin line shows the middle half of a figure. */
final class SvgLines {

  static final int HEIGHT = 252;

  private static final int LEFT = 90;
  private static final int RIGHT = 600;
  private static final int TITLE = 32;
  private static final int TOP = 50;
  private static final int BOTTOM = 206;
  private static final int LABEL = 18;
  private static final int TICKS = 4;

  private static final String GRID = "#e5e7eb";
  private static final List<String> COLOURS =
      List.of("#2563eb", "#b45309", "#047857", "#7c3aed", "#be185d", "#4b5563");

  private final Growth growth;
  private final int top;
  private final double first;
  private final double last;
  private final double highest;
  private final StringBuilder svg = new StringBuilder();

  SvgLines(Growth growth, int top) {
    this.growth = growth;
    this.top = top;
    this.first = Math.floor(Math.log10(growth.smallest()));
    this.last = Math.max(Math.ceil(Math.log10(growth.largest())), first + 1);
    this.highest = growth.highest() > 0 ? growth.highest() : 1;
  }

  String text() {
    add(
        "<text x='20' y='%d' font-weight='600'>%s</text>",
        top + TITLE, SvgChart.escape(growth.title()));
    scales();
    for (int i = 0; i < growth.lines().size(); i++) {
      draw(growth.lines().get(i), i);
    }
    return svg.toString();
  }

  private void scales() {
    for (int tick = 0; tick <= TICKS; tick++) {
      double value = highest * tick / TICKS;
      add(
          "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='%s'/>",
          LEFT, y(value), RIGHT, y(value), GRID);
      add(
          "<text x='%d' y='%.1f' text-anchor='end' font-size='11'>%s</text>",
          LEFT - 8, y(value) + 4, Numbers.plain(value));
    }
    for (double power = first; power <= last; power++) {
      double size = Math.pow(10, power);
      add(
          "<text x='%.1f' y='%d' text-anchor='middle' font-size='11'>%s</text>",
          x(size), top + BOTTOM + 18, String.format(Locale.ROOT, "%,.0f", size));
    }
    add(
        "<text x='%d' y='%d' text-anchor='middle' font-size='11'>%s</text>",
        (LEFT + RIGHT) / 2, top + BOTTOM + 34, SvgChart.escape(growth.axis()));
  }

  private void draw(Growth.Line line, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    StringBuilder path = new StringBuilder();
    for (Growth.Point point : line.points()) {
      double x = x(point.size());
      double y = y(point.value().median());
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x, y));
      add("<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>", x, y, colour);
      add(
          "<path d='M%.1f %.1fV%.1f' stroke='%s' fill='none'/>",
          x, y(point.value().lower()), y(point.value().upper()), colour);
    }
    add("<path d='%s' stroke='%s' stroke-width='2' fill='none'/>", path, colour);
    int y = top + TOP + number * LABEL;
    add(
        "<rect x='%d' y='%d' width='12' height='12' rx='2' fill='%s'/>",
        RIGHT + 20, y - 10, colour);
    add("<text x='%d' y='%d'>%s</text>", RIGHT + 38, y, SvgChart.escape(line.label()));
  }

  private double x(double size) {
    return LEFT + (Math.log10(size) - first) / (last - first) * (RIGHT - LEFT);
  }

  private double y(double value) {
    return top + BOTTOM - Math.max(value, 0) / highest * (BOTTOM - TOP);
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
