package dev.syncguard.torture.report;

import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.EventText;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a campaign found, as one page that asks nobody for anything: styles and pictures are in it. */
final class Page {

  private static final int MOST_TOLD = 40;

  private final Findings findings;
  private final Outcome outcome;
  private final StringBuilder html = new StringBuilder();

  private Page(Findings findings) {
    this.findings = findings;
    this.outcome = findings.outcome();
  }

  static String of(Findings findings, About about) {
    return new Page(findings).write(about);
  }

  private String write(About about) {
    boolean good = outcome.violations().isEmpty();
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\">")
        .append("<meta name=\"color-scheme\" content=\"light dark\">")
        .append("<title>SyncGuard torture: ")
        .append(good ? "nothing broken" : "broken promises")
        .append("</title><style>")
        .append(styles())
        .append("</style></head><body><main>");
    html.append("<header class=\"")
        .append(good ? "good" : "broken")
        .append("\"><h1>")
        .append(
            good
                ? "No promise was broken"
                : outcome.violations().size()
                    + (outcome.violations().size() == 1 ? " broken promise" : " broken promises"))
        .append("</h1><p>")
        .append(escape(about.store()))
        .append(" · ")
        .append(escape(about.when()))
        .append(" · ")
        .append(Sample.text((outcome.ended() - outcome.began()) / 1e6))
        .append(" · ")
        .append(outcome.settings().workers())
        .append(" workers of ")
        .append(outcome.settings().threads())
        .append(" threads · ")
        .append(outcome.settings().keys())
        .append(" keys · ttl ")
        .append(Sample.text((double) outcome.settings().ttl().toMillis()))
        .append("</p></header>");
    numbers();
    violations();
    section("Who held which key, and what was done to whom");
    html.append("<figure class=\"wide\">").append(Timeline.of(findings)).append("</figure>");
    legend();
    html.append("<div class=\"two\">");
    histogram("How long attempts waited", findings.waits());
    histogram("How long leases were held", findings.holds());
    html.append("</div>");
    faults();
    refusals();
    questions();
    section("Again");
    html.append(
            "<p>The same faults at the same times; what the store makes of them is up to it:</p><pre>")
        .append(escape(about.replay()))
        .append("</pre><p>")
        .append(escape(about.remains()))
        .append("</p></main></body></html>\n");
    return html.toString();
  }

  private static String styles() {
    try (InputStream in = Page.class.getResourceAsStream("page.css")) {
      if (in == null) {
        throw new IllegalStateException("The program lacks its file page.css");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void section(String title) {
    html.append("<h2>").append(escape(title)).append("</h2>");
  }

  private void numbers() {
    html.append("<dl class=\"numbers\">");
    number(Long.toString(findings.operations()), "operations");
    number(Long.toString(findings.grants()), "locks granted");
    number(
        Integer.toString(
            outcome.faults().values().stream().mapToInt(Integer::intValue).sum()),
        "faults");
    number(Long.toString(findings.writes(true)), "writes accepted by the resource");
    number(Long.toString(findings.writes(false)), "late writes that it refused");
    number(
        Sample.text(findings.waits().quantile(0.5)),
        "median wait; 99 % are below " + Sample.text(findings.waits().quantile(0.99)));
    html.append("</dl>");
  }

  private void number(String value, String what) {
    html.append("<div><dt>")
        .append(escape(what))
        .append("</dt><dd>")
        .append(escape(value))
        .append("</dd></div>");
  }

  private void violations() {
    if (outcome.violations().isEmpty()) {
      return;
    }
    section("What was broken");
    Map<Violation.Kind, Integer> counts = new TreeMap<>();
    outcome.violations().forEach(v -> counts.merge(v.kind(), 1, Integer::sum));
    html.append("<table><tr><th>Promise</th><th class=\"n\">times</th></tr>");
    counts.forEach((kind, count) -> html.append("<tr><td>")
        .append(escape(kind.title()))
        .append("</td><td class=\"n\">")
        .append(count)
        .append("</td></tr>"));
    html.append("</table>");
    List<Violation> told =
        outcome.violations().subList(0, Math.min(MOST_TOLD, outcome.violations().size()));
    for (Violation violation : told) {
      html.append("<details><summary><b>")
          .append(escape(violation.kind().title()))
          .append("</b> at ")
          .append(Sample.text(findings.millis(violation.at())))
          .append(": ")
          .append(escape(violation.text()))
          .append("</summary><pre>");
      for (Event event : findings.around(violation)) {
        html.append(event.at() >= violation.at() ? "  " : "- ")
            .append(escape(String.format(Locale.ROOT, "%10.1f ms  ", findings.millis(event.at()))))
            .append(escape(EventText.of(event).replace('\t', ' ')))
            .append('\n');
      }
      html.append("</pre></details>");
    }
    if (told.size() < outcome.violations().size()) {
      html.append("<p>")
          .append(outcome.violations().size() - told.size())
          .append(" more are in the JSON file.</p>");
    }
  }

  private void legend() {
    html.append("<p class=\"legend\">");
    for (int worker = 0; worker < Math.min(8, outcome.settings().workers()); worker++) {
      html.append("<span><i class=\"w")
          .append(worker)
          .append("\"></i>worker ")
          .append(worker)
          .append("</span>");
    }
    html.append("<span><i class=\"kill\"></i>killed</span>")
        .append("<span><i class=\"hurt\"></i>hurt otherwise</span>");
    if (!outcome.violations().isEmpty()) {
      html.append("<span><i class=\"bad\"></i>broken promise</span>");
    }
    html.append("</p>");
  }

  private void histogram(String title, Sample sample) {
    html.append("<section>");
    section(title);
    html.append(Bars.of(title, sample.histogram()))
        .append("<p class=\"note\">")
        .append(sample.size())
        .append(" in all; median ")
        .append(Sample.text(sample.quantile(0.5)))
        .append(", 99 % below ")
        .append(Sample.text(sample.quantile(0.99)))
        .append(", longest ")
        .append(Sample.text(sample.max()))
        .append("</p></section>");
  }

  private void faults() {
    section("What was tried");
    Map<String, Sample> recoveries = findings.recoveries();
    html.append(
        "<table><tr><th>Fault</th><th class=\"n\">times</th><th class=\"n\">median time to the next lock"
            + "</th><th class=\"n\">longest</th></tr>");
    for (FaultKind kind : FaultKind.values()) {
      int times = outcome.faults().getOrDefault(kind, 0);
      Sample recovery = recoveries.get(kind.word());
      if (times > 0) {
        html.append("<tr><td>")
            .append(escape(kind.title()))
            .append("</td><td class=\"n\">")
            .append(times)
            .append("</td><td class=\"n\">")
            .append(recovery == null ? "–" : Sample.text(recovery.quantile(0.5)))
            .append("</td><td class=\"n\">")
            .append(recovery == null ? "–" : Sample.text(recovery.max()))
            .append("</td></tr>");
      } else if (outcome.notTried().containsKey(kind)) {
        html.append("<tr class=\"notTried\"><td>")
            .append(escape(kind.title()))
            .append("</td><td class=\"n\">0</td><td colspan=\"2\">not possible: ")
            .append(escape(outcome.notTried().getOrDefault(kind, "")))
            .append("</td></tr>");
      }
    }
    html.append(
        "</table><p class=\"note\">Counted from the end of the fault to the next lock of the worker that suffered"
            + " it; for the store, from the beginning of its restart to the next lock of anybody.</p>");
  }

  private void refusals() {
    Map<String, Long> refusals = findings.refusals();
    if (refusals.isEmpty()) {
      return;
    }
    section("Attempts that got no lock");
    html.append("<table><tr><th>Answer</th><th class=\"n\">times</th></tr>");
    refusals.forEach((why, count) -> html.append("<tr><td>")
        .append(escape(why))
        .append("</td><td class=\"n\">")
        .append(count)
        .append("</td></tr>"));
    html.append("</table>");
  }

  private void questions() {
    if (outcome.answers().isEmpty()) {
      return;
    }
    section("What was asked while nobody was hurt");
    List<Answer> kept = outcome.answers().stream()
        .filter(answer -> answer.verdict() == Answer.Verdict.KEPT)
        .toList();
    List<Answer> others = new ArrayList<>(outcome.answers());
    others.removeAll(kept);
    answers(others);
    html.append("<details><summary>")
        .append(kept.size())
        .append(" of ")
        .append(outcome.answers().size())
        .append(" answers were as promised</summary>");
    answers(kept);
    html.append("</details>");
  }

  private void answers(List<Answer> answers) {
    if (answers.isEmpty()) {
      return;
    }
    html.append("<table><tr><th>Promise</th><th>Answer</th></tr>");
    for (Answer answer : answers) {
      html.append(
              answer.verdict() == Answer.Verdict.OPEN ? "<tr class=\"notTried\"><td>" : "<tr><td>")
          .append(escape(answer.promise()))
          .append("</td><td>")
          .append(escape(
              switch (answer.verdict()) {
                case KEPT -> "as promised";
                case BROKEN -> "broken: " + answer.told();
                case OPEN -> "not known: " + answer.told();
              }))
          .append("</td></tr>");
    }
    html.append("</table>");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
