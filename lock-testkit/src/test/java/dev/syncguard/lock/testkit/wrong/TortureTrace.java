package dev.syncguard.lock.testkit.wrong;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

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

  /** Adds what was found, as kinds of violations. What was found once, or explained by a person, stays. */
  static void write(Map<String, Set<String>> found) throws IOException {
    Map<String, TortureTrace> before = read();
    List<String> lines =
        new ArrayList<>(List.of("wrong backend\tunder torture\tbroken promises\treason"));
    Wrong.ways().map(Wrong::what).forEach(what -> {
      TortureTrace old = before.getOrDefault(what, new TortureTrace(what, false, "", ""));
      Set<String> promises = new TreeSet<>(found.getOrDefault(what, Set.of()));
      boolean isFound = old.found || !promises.isEmpty();
      Stream.of(old.promises.split(" ")).filter(kind -> !kind.isEmpty()).forEach(promises::add);
      lines.add(String.join(
          "\t",
          what,
          isFound ? "found" : "not found",
          String.join(" ", promises),
          isFound ? "" : old.reason));
    });
    Files.createDirectories(RECORD.getParent());
    Files.write(RECORD, lines);
  }
}
