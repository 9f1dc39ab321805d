package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.torture.history.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of one wrong backend under torture, as {@code docs/proof/wrong-backends.tsv} tells it.
 *
 * @param what the wrong backend
 * @param found whether a campaign noticed
 * @param promises the kinds of promises that it was seen to break
 * @param reason why nobody can see it from outside, if it got away
 */
record TortureTrace(String what, boolean found, String promises, String reason) {

  private static final Path RECORD = Path.of("..", "docs", "proof", "wrong-backends.tsv");

  static Map<String, TortureTrace> read() throws IOException {
    Map<String, TortureTrace> traces = new LinkedHashMap<>();
    if (Files.exists(RECORD)) {
      for (String line : Files.readAllLines(RECORD).stream().skip(1).toList()) {
        String[] columns = line.split("\t", -1);
        traces.put(
            columns[0],
            new TortureTrace(columns[0], columns[1].equals("found"), columns[2], columns[3]));
      }
    }
    return traces;
  }

  /** Adds what was found. What was found once, or explained by a person, stays. */
  static void write(Map<String, List<Violation>> found) throws IOException {
    Map<String, TortureTrace> before = read();
    List<String> lines =
        new ArrayList<>(List.of("wrong backend\tunder torture\tbroken promises\treason"));
    found.forEach((what, violations) -> {
      TortureTrace old = before.getOrDefault(what, new TortureTrace(what, false, "", ""));
      TortureTrace now =
          violations.isEmpty() ? old : new TortureTrace(what, true, kinds(violations), "");
      lines.add(
          String.join("\t", what, now.found ? "found" : "not found", now.promises, now.reason));
    });
    Files.createDirectories(RECORD.getParent());
    Files.write(RECORD, lines);
  }

  private static String kinds(List<Violation> violations) {
    return violations.stream()
        .map(violation -> violation.kind().name())
        .distinct()
        .sorted()
        .collect(Collectors.joining(" "));
  }
}
