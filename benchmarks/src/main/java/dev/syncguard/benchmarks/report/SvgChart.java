package dev.syncguard.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Panels of horizontal bars, one below the other, as an SVG picture. A thin line shows the middle half of a figure. */
final class SvgChart {

  private static final int WIDTH = 860;
  private static final int LABELS = 300;
  private static final int VALUES = 150;
  private static final int SCALE = WIDTH - LABELS - VALUES;
  private static final int ROW = 26;
  private static final int BAR = 14;
  private static final int PANEL_TITLE = 46;
  private static final int TARGET = 14;
  private static final int TOP = 40;

  private static final String OURS = "#2563eb";
  private static final String OTHERS = "#b6c2d2";
  private static final String INK = "#1f2937";
  private static final String GOAL = "#b91c1c";

  private final String title;
  private final List<Figure> figures;
  private final StringBuilder svg = new StringBuilder();

  SvgChart(String title, List<Figure> figures) {
    this.title = title;
    this.figures = figures;
  }

  String text() {
    int height = TOP + 16;
    for (Figure figure : figures) {
      height += height(figure);
    }
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'"
            + " font-family='system-ui, Helvetica, Arial, sans-serif' font-size='13' fill='%s'>",
        WIDTH, height, WIDTH, height, INK);
    add("<rect width='%d' height='%d' fill='#ffffff'/>", WIDTH, height);
    add("<text x='20' y='32' font-size='19' font-weight='600'>%s</text>", escape(title));
    int y = TOP;
    for (Figure figure : figures) {
      if (figure instanceof Panel panel) {
        draw(panel, y);
      } else {
        svg.append(new SvgLines((Growth) figure, y).text());
      }
      y += height(figure);
    }
    add("</svg>");
    return svg.toString();
  }

  private static int height(Figure figure) {
    if (!(figure instanceof Panel panel)) {
      return SvgLines.HEIGHT;
    }
    return PANEL_TITLE + panel.bars().size() * ROW + (panel.target().isPresent() ? TARGET : 0);
  }

  private void draw(Panel panel, int top) {
    add(
        "<text x='20' y='%d' font-weight='600'>%s</text>",
        top + PANEL_TITLE - 14, escape(panel.title()));
    int bottom = top + PANEL_TITLE + panel.bars().size() * ROW;
    add(
        "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='%s'/>",
        LABELS, top + PANEL_TITLE - 4, LABELS, bottom - 2, INK);
    panel.target().ifPresent(target -> {
      double x = x(target.bound(), panel.end());
      add(
          "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s' stroke-dasharray='4 3'/>",
          x, top + PANEL_TITLE - 4, x, bottom + 2, GOAL);
      add(
          "<text x='%.1f' y='%d' text-anchor='middle' font-size='11' fill='%s'>%s</text>",
          x, bottom + TARGET, GOAL, escape("target " + target));
    });
    int y = top + PANEL_TITLE;
    for (Bar bar : panel.bars()) {
      draw(bar, panel.end(), y);
      y += ROW;
    }
  }

  private void draw(Bar bar, double end, int top) {
    int middle = top + ROW / 2 - 2;
    double median = x(bar.value().median(), end);
    double lower = x(bar.value().lower(), end);
    double upper = x(bar.value().upper(), end);
    add(
        "<text x='%d' y='%d' text-anchor='end'>%s</text>",
        LABELS - 10, middle + 4, escape(bar.label()));
    add(
        "<rect x='%d' y='%d' width='%.1f' height='%d' rx='2' fill='%s'/>",
        LABELS, middle - BAR / 2, median - LABELS, BAR, bar.ours() ? OURS : OTHERS);
    add(
        "<path d='M%.1f %dH%.1fM%.1f %dv8M%.1f %dv8' stroke='%s' fill='none'/>",
        lower, middle, upper, lower, middle - 4, upper, middle - 4, INK);
    add(
        "<text x='%.1f' y='%d' paint-order='stroke' stroke='#ffffff' stroke-width='4'>%s</text>",
        upper + 8, middle + 4, escape(Numbers.plain(bar.value().median())));
  }

  private static double x(double value, double end) {
    return LABELS + Math.max(value, 0) / end * SCALE;
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
