package dev.syncguard.lock.testkit.wrong;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/** The record of which test was seen red, and what turned it red: {@code docs/mutation/seen-red.tsv}, which {@code .ci/mutate} writes as well. */
final class SeenRed {

  static final Path RECORD = Path.of("..", "docs", "mutation", "seen-red.tsv");
  static final String WRONG_BACKEND = "wrong backend";
  static final String MUTANT = "mutant";

  /**
   * One line of the record.
   *
   * @param test its class and its name
   * @param by what kind of fault it was shown
   * @param what the fault
   */
  record Entry(String test, String by, String what) {}

  private final Map<String, String> noticed = new ConcurrentHashMap<>();

  static List<Entry> entries() throws IOException {
    return Files.readAllLines(RECORD).stream()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .map(columns -> new Entry(columns[0], columns[1], columns[2]))
        .toList();
  }

  /** Notes that a test failed on a backend that is wrong. */
  void note(TestIdentifier test, Wrong wrong) {
    test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getJavaMethod())
        .ifPresent(method -> noticed.putIfAbsent(
            method.getDeclaringClass().getSimpleName() + "." + method.getName(), wrong.what()));
  }

  /** Brings the record up to date, if {@code -Dsyncguard.seen-red=true} asks for it. What people or mutants found stays. */
  void writeIfWanted() throws IOException {
    if (!Boolean.getBoolean("syncguard.seen-red")) {
      return;
    }
    Map<String, String> lines = new TreeMap<>();
    noticed.forEach((test, what) -> lines.put(test, WRONG_BACKEND + "\t" + what));
    if (Files.exists(RECORD)) {
      for (Entry entry : entries()) {
        lines.putIfAbsent(entry.test(), entry.by() + "\t" + entry.what());
      }
    }
    List<String> all = new ArrayList<>(List.of("test\tby\twhat turned it red"));
    lines.forEach((test, what) -> all.add(test + "\t" + what));
    Files.createDirectories(RECORD.getParent());
    Files.write(RECORD, all);
  }
}
