package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What one pair writes, as the system counted it for this process. The same on any machine. */
final class WorkBenchmark {

  private static final Path COUNTERS = Path.of("/proc/self/io");

  private final Topic.Setting setting;

  WorkBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  /** Counts for one after the other, and closes them. */
  Section measure(List<Participant> participants) throws Exception {
    String title = "What a pair costs the file";
    setting.progress().accept(title);
    List<List<String>> rows = new ArrayList<>();
    for (Participant each : participants) {
      try (Participant participant = each) {
        Participant.Worker worker = participant.worker(0);
        int count = setting.pace().warmUp();
        // Until its log has its usual size.
        for (int i = 0; i < count; i++) {
          worker.once();
        }
        double calls = counter("syscw");
        double bytes = counter("wchar");
        for (int i = 0; i < count; i++) {
          worker.once();
        }
        rows.add(List.of(
            participant.name(),
            Numbers.plain((counter("syscw") - calls) / count),
            Numbers.plain((counter("wchar") - bytes) / count)));
      }
    }
    return new Section(
        title,
        "Counted by the system for this process, for pairs of one thread: calls that write, and"
            + " the bytes that they write, most of them whole pages of the log, and from the log"
            + " into the file now and then.",
        List.of("", "writes", "bytes"),
        rows,
        List.of(),
        List.of());
  }

  private static double counter(String name) throws IOException {
    for (String line : Files.readAllLines(COUNTERS)) {
      if (line.startsWith(name + ":")) {
        return Double.parseDouble(line.substring(name.length() + 1));
      }
    }
    throw new IllegalStateException("This system does not count " + name);
  }
}
