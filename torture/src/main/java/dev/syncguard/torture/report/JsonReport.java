package dev.syncguard.torture.report;

import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.history.EventText;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a campaign found, for programs. */
final class JsonReport {

  private JsonReport() {}

  static String of(Findings findings, About about) {
    Outcome outcome = findings.outcome();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("ok", outcome.violations().isEmpty());
    report.put("store", about.store());
    report.put("when", about.when());
    report.put("replay", about.replay());
    report.put("seed", outcome.settings().seed());
    report.put("seconds", (outcome.ended() - outcome.began()) / 1e9);
    report.put("workers", outcome.settings().workers());
    report.put("threads", outcome.settings().threads());
    report.put("keys", outcome.settings().keyNames());
    report.put("ttlMs", outcome.settings().ttl().toMillis());
    report.put("operations", findings.operations());
    report.put("grants", findings.grants());
    report.put("refusals", findings.refusals());
    report.put("writesAccepted", findings.writes(true));
    report.put("lateWritesRefused", findings.writes(false));
    report.put("waitMs", quantiles(findings.waits()));
    report.put("holdMs", quantiles(findings.holds()));
    Map<String, Object> faults = new LinkedHashMap<>();
    outcome.faults().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> faults.put(entry.getKey().word(), entry.getValue()));
    report.put("faults", faults);
    Map<String, Object> notTried = new LinkedHashMap<>();
    for (FaultKind kind : FaultKind.values()) {
      if (outcome.notTried().containsKey(kind)) {
        notTried.put(kind.word(), outcome.notTried().getOrDefault(kind, ""));
      }
    }
    report.put("notTried", notTried);
    Map<String, Object> recoveries = new LinkedHashMap<>();
    findings.recoveries().forEach((fault, sample) -> recoveries.put(fault, quantiles(sample)));
    report.put("recoveryMs", recoveries);
    report.put("questions", questions(findings));
    report.put("remains", about.remains());
    report.put(
        "violations",
        outcome.violations().stream().map(v -> violation(findings, v)).toList());
    return Json.of(report) + "\n";
  }

  private static Map<String, Object> questions(Findings findings) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("kept", findings.answers(Answer.Verdict.KEPT));
    told.put("broken", findings.answers(Answer.Verdict.BROKEN));
    Map<String, Object> open = new LinkedHashMap<>();
    findings.outcome().answers().stream()
        .filter(answer -> answer.verdict() == Answer.Verdict.OPEN)
        .forEach(answer -> open.put(answer.promise(), answer.told()));
    told.put("open", open);
    return told;
  }

  private static Map<String, Object> quantiles(Sample sample) {
    Map<String, Object> quantiles = new LinkedHashMap<>();
    quantiles.put("count", sample.size());
    quantiles.put("p50", sample.quantile(0.5));
    quantiles.put("p99", sample.quantile(0.99));
    quantiles.put("max", sample.max());
    return quantiles;
  }

  private static Map<String, Object> violation(Findings findings, Violation violation) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("kind", violation.kind().name());
    told.put("key", violation.key());
    told.put("atMs", findings.millis(violation.at()));
    told.put("text", violation.text());
    List<String> around = findings.around(violation).stream().map(EventText::of).toList();
    told.put("around", around);
    return told;
  }
}
