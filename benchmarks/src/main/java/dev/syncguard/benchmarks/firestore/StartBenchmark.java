package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How long it takes from asking for a server to the answer to its first request. */
final class StartBenchmark {

  private static final String START = "ready for the first request";
  private static final String CLOSE = "closed";
  private static final Target WARM = Target.below(300);
  private static final Target COLD = Target.atMost(600);
  private static final Target RESIDENT = Target.atMost(100);
  private static final String START_TAKES =
      "fewer classes and files before the first answer; list those that a start touches, largest first, as ADR 44 did for"
          + " bare commands";
  private static final int PATIENCE_SECONDS = 30;

  private final Topic.Setting setting;

  StartBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  /** Measures a server in a JVM that has had one before. */
  Section warm() throws Exception {
    String title = "Start in a running JVM";
    record Served(double start, double close) {}
    Callable<Served> once = () -> {
      long before = System.nanoTime();
      FirestoreServer server = FirestoreServer.builder().start();
      request(server.emulatorHost());
      long ready = System.nanoTime();
      server.close();
      return new Served((ready - before) / 1e6, (System.nanoTime() - ready) / 1e6);
    };
    Series<Served> lives = setting.rounds().run(title, Map.of("server", once));
    Map<String, Quartiles> millis = new LinkedHashMap<>();
    millis.put(START, lives.of("server", Served::start));
    millis.put(CLOSE, lives.of("server", Served::close));
    return section(
        title,
        "`FirestoreServer.builder().start()` and one request over a new connection, as for every test class but the"
            + " first; then `close()`.",
        millis,
        WARM);
  }

  /** What a shell sees of the program. */
  private record Life(double millis, double residentMegabytes) {}

  /** Measures the program as a shell sees it, and what it takes of the machine when it has almost nothing to do. */
  List<Section> cold() throws Exception {
    String title = "Start from the shell";
    Callable<Life> once = this::startProgram;
    Series<Life> lives = setting.contests().run(title, Map.of(START, once));
    Quartiles resident = lives.of(START, Life::residentMegabytes);
    String memory = "Resident memory";
    return List.of(
        section(
            title,
            "`./syncguard firestore --port 0`, from starting the shell script to the answer to a first request.",
            Map.of(START, lives.of(START, Life::millis)),
            COLD),
        new Section(
            memory,
            "What the system says that the same program has in memory after its first answer.",
            List.of("", "MB"),
            List.of(List.of("an almost empty server", Numbers.with(resident))),
            List.of(
                new Goal(
                    "MB resident of an almost empty server",
                    resident,
                    RESIDENT,
                    "half as many classes at the start: their archive is half of it, a heap of 25 MB a fifth")),
            List.of(new Panel(
                memory + " of an almost empty server, MB",
                List.of(new Bar("SyncGuard", resident, true)),
                Optional.of(RESIDENT)))));
  }

  private Life startProgram() throws Exception {
    long before = System.nanoTime();
    Process program = new ProcessBuilder(setting.launcher().toString(), "firestore", "--port", "0")
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    try (BufferedReader output = program.inputReader()) {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("'syncguard firestore' ended before it was ready");
      }
      request(line.replaceAll(".*FIRESTORE_EMULATOR_HOST=(\\S+).*", "$1"));
      return new Life((System.nanoTime() - before) / 1e6, residentMegabytes(program));
    } finally {
      program.destroy();
      if (!program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        program.destroyForcibly();
      }
    }
  }

  /** Returns what the process and its children have in memory; the launcher may be a shell that waits for Java. */
  private static double residentMegabytes(Process program) throws IOException {
    List<Long> all = Stream.concat(Stream.of(program.toHandle()), program.descendants())
        .map(ProcessHandle::pid)
        .toList();
    double kilobytes = 0;
    for (long pid : all) {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          kilobytes += Double.parseDouble(line.replaceAll("[^0-9]", ""));
        }
      }
    }
    return kilobytes / 1024;
  }

  private static void request(String host) throws IOException {
    HttpURLConnection connection = (HttpURLConnection)
        URI.create("http://" + host + "/v1/" + Clients.DATABASE + "/documents/c/none")
            .toURL()
            .openConnection();
    connection.setRequestProperty("Authorization", "Bearer owner");
    int status = connection.getResponseCode();
    connection.disconnect();
    if (status != HttpURLConnection.HTTP_NOT_FOUND) {
      throw new IllegalStateException("The first request was answered with " + status);
    }
  }

  private static Section section(
      String title, String text, Map<String, Quartiles> millis, Target target) {
    Quartiles start = millis.getOrDefault(START, new Quartiles(0, 0, 0));
    return new Section(
        title,
        text,
        List.of("", "ms"),
        millis.entrySet().stream()
            .map(row -> List.of(row.getKey(), Numbers.with(row.getValue())))
            .toList(),
        List.of(new Goal(title + ": ms until the first answer", start, target, START_TAKES)),
        List.of(new Panel(
            title + ": milliseconds until the first answer",
            List.of(new Bar("SyncGuard", start, true)),
            Optional.of(target))));
  }
}
