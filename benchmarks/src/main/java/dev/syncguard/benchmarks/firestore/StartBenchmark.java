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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** How long it takes from asking for a server to the answer to its first request. */
final class StartBenchmark {

  private static final String START = "ready for the first request";
  private static final String CLOSE = "closed";
  private static final Target WARM = Target.below(300);
  private static final Target COLD = Target.below(1500);
  private static final int PATIENCE_SECONDS = 30;

  private final Topic.Setting setting;

  StartBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  /** Measures a server in a JVM that has had one before. */
  Section warm() throws Exception {
    String title = "Start in a running JVM";
    record Life(double start, double close) {}
    Callable<Life> once = () -> {
      long before = System.nanoTime();
      FirestoreServer server = FirestoreServer.builder().start();
      request(server.emulatorHost());
      long ready = System.nanoTime();
      server.close();
      return new Life((ready - before) / 1e6, (System.nanoTime() - ready) / 1e6);
    };
    Series<Life> lives = setting.rounds().run(title, Map.of("server", once));
    Map<String, Quartiles> millis = new LinkedHashMap<>();
    millis.put(START, lives.of("server", Life::start));
    millis.put(CLOSE, lives.of("server", Life::close));
    return section(
        title,
        "`FirestoreServer.builder().start()` and one request over a new connection, as for every test class but the"
            + " first; then `close()`.",
        millis,
        WARM);
  }

  /** Measures the program as a shell sees it. */
  Section cold() throws Exception {
    String title = "Start from the shell";
    Callable<Double> once = this::startProgram;
    Series<Double> millis = setting.contests().run(title, Map.of(START, once));
    return section(
        title,
        "`./syncguard firestore --port 0`, from starting the shell script to the answer to a first request.",
        Map.of(START, millis.of(START, value -> value)),
        COLD);
  }

  private double startProgram() throws Exception {
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
      return (System.nanoTime() - before) / 1e6;
    } finally {
      program.destroy();
      if (!program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        program.destroyForcibly();
      }
    }
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
        List.of(new Goal(title + ": ms until the first answer", start, target)),
        List.of(new Panel(
            title + ": milliseconds until the first answer",
            List.of(new Bar("SyncGuard", start, true)),
            Optional.of(target))));
  }
}
