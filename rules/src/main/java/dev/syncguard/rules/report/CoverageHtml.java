package dev.syncguard.rules.report;

import dev.syncguard.rules.report.Coverage.Count;
import dev.syncguard.rules.report.Coverage.Covered;
import dev.syncguard.rules.report.Coverage.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes coverage as a page: the source, coloured by what it did; the rest is shown by pointing at it. */
public final class CoverageHtml {
  private static final String HEAD = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Rule coverage</title><style>
      body { font: 14px/1.6 ui-monospace, monospace; margin: 2em; color: #222; background: #fff; }
      pre { white-space: pre; }
      .never { background: #ffd6d6; } .once { background: #fff0c2; } .both { background: #d9f2d9; }
      .value { background: #e3ecff; } span[title]:hover { outline: 1px solid #666; }
      </style></head><body>
      <h1>Rule coverage</h1>
      <p><span class="both">true and false</span> <span class="once">always the same, or an error</span>
      <span class="value">another value</span> <span class="never">never evaluated</span></p>
      <pre>""";

  private final String source;
  private final StringBuilder page = new StringBuilder();
  private int at;

  private CoverageHtml(String source) {
    this.source = source;
  }

  /** Returns a page that shows the source and what each expression came to. */
  public static String of(Coverage coverage) {
    CoverageHtml html = new CoverageHtml(coverage.source().text());
    html.page.append(HEAD);
    coverage.report().forEach(html::expression);
    html.textUpTo(html.source.length());
    return html.page.append("</pre></body></html>\n").toString();
  }

  private void expression(Covered covered) {
    textUpTo(covered.expression().range().start());
    page.append("<span class=\"").append(shade(covered)).append("\" title=\"");
    page.append(escape(title(covered))).append("\">");
    covered.children().forEach(this::expression);
    textUpTo(covered.expression().range().end());
    page.append("</span>");
  }

  private void textUpTo(int offset) {
    page.append(escape(source.substring(at, Math.max(at, offset))));
    at = Math.max(at, offset);
  }

  private static String shade(Covered covered) {
    Set<Kind> kinds =
        covered.counts().stream().map(count -> count.value().kind()).collect(Collectors.toSet());
    if (kinds.isEmpty()) {
      return "never";
    } else if (kinds.contains(Kind.TRUE) && kinds.contains(Kind.FALSE)) {
      return "both";
    }
    return kinds.equals(Set.of(Kind.VALUE)) ? "value" : "once";
  }

  /** Returns what an expression came to, in words. */
  public static String title(Covered covered) {
    return covered.isEvaluated() ? title(covered.counts()) : "never evaluated";
  }

  private static String title(List<Count> counts) {
    return counts.stream()
        .map(count -> (count.value().kind() == Kind.ERROR ? "error: " : "")
            + (count.value().kind() == Kind.UNKNOWN ? "unknown: " : "")
            + count.value().text() + " ×" + count.times())
        .collect(Collectors.joining(", "));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
