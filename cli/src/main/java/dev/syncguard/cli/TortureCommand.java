package dev.syncguard.cli;

import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.FaultKind;
import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.ProcessCrew;
import dev.syncguard.torture.Route;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.WorkerProcess;
import dev.syncguard.torture.report.About;
import dev.syncguard.torture.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Takes locks on a store, hurts those who take them, and judges the store. */
@Command(
    name = "torture",
    sortOptions = false,
    customSynopsis = "syncguard torture --store STORE [OPTIONS]",
    description = {
      "Finds out whether a store keeps its promises when everything else goes wrong.",
      "Starts worker processes that take locks on keys of their own, and hurts the workers, never the store: kills them,"
          + " stops them beyond their ttl, loses and delays their requests and replies, sets their clocks off. A resource"
          + " that checks fences and a judge over the whole history say whether two ever held a key at once, whether a"
          + " fence was repeated, whether a lease promised too much, whether a key stayed locked, and whether waiters"
          + " were woken. Before anybody is hurt, it asks questions whose answers are known, which takes some seconds."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard torture --store redis://localhost --minutes 5",
      "  syncguard torture --store postgresql://db/shop \\",
      "    --with-store-restarts 'systemctl restart postgresql'",
      "  syncguard torture --store sqlite:/tmp/try.db --seed 42  # the same faults",
      "",
      "Once in each storm of faults, --with-store-restarts runs a command of yours",
      "that restarts the store or fails it over. Without it the store is not touched.",
      "A store that loses data then is found, by its repeated fences.",
      "",
      "The report is a page for people and a JSON file: who held which key when, what",
      "was done, how long recovery took, and the history around each broken promise.",
      "Ctrl-C ends early, with the report so far. All locks are released at the end;",
      "the fence counters of the keys stay, because no store ever deletes those.",
      "",
      "Exit codes: 0 nothing was broken, 1 something was, 69 the store cannot be",
      "reached, 130 ended by Ctrl-C before anything was broken."
    })
final class TortureCommand implements Callable<Integer> {

  private static final List<String> SQLITE = List.of("org.sqlite.lib.path", "org.sqlite.lib.name");

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How long; fractions are fine (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many worker processes, 2 to 64 (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many threads each has, 1 to 9 (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many keys they share, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "3s",
      description = "How long their leases last (default: ${DEFAULT-VALUE}).")
  private Duration ttl = Duration.ZERO;

  @Option(
      names = "--patience",
      paramLabel = "DURATION",
      converter = Durations.class,
      defaultValue = "10s",
      description =
          "How long after the end of its last lease a key may stay locked; half of it is what a"
              + " waiter may take after a release (default: ${DEFAULT-VALUE}).")
  private Duration patience = Duration.ZERO;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Where the faults come from; a report names its own (default: another one each time).")
  private @Nullable Long seed;

  @Option(
      names = "--with-store-restarts",
      paramLabel = "CMD",
      description = "A shell command that restarts the store, or fails it over.")
  private @Nullable String restart;

  @Option(
      names = "--without",
      paramLabel = "FAULT",
      split = ",",
      description =
          "Leave out a kind of fault, such as pause or clock; may be given several times.")
  private List<String> without = List.of();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      defaultValue = "syncguard-torture",
      description = "Where the report is written to (default: ${DEFAULT-VALUE}).")
  private Path report = Path.of("");

  @Option(names = "--worker", hidden = true)
  private boolean worker;

  @Parameters(hidden = true)
  private List<String> task = List.of();

  private FaultKind fault(String word) {
    return Stream.of(FaultKind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new WrongUsage(
            spec,
            ExitCode.WRONG_USAGE,
            "--without names a fault: "
                + String.join(
                    ", ", Stream.of(FaultKind.values()).map(FaultKind::word).toList())));
  }

  @Override
  public Integer call() throws IOException {
    if (worker) {
      return work();
    }
    Settings settings = settings();
    String address = top.address()
        .orElseThrow(() -> new WrongUsage(
            spec,
            ExitCode.WRONG_USAGE,
            "Say which store to torture, with --store or SYNCGUARD_STORE; try sqlite:PATH"));
    try (Signals signals = Signals.catching(Signals.ENDING);
        LockBackend observer = top.open(Stores.Purpose.WRITE)) {
      Route route = Route.to(address, top.surroundings().variables());
      ProcessCrew crew = new ProcessCrew(workerCommand(), route, fakeClock());
      Campaign campaign = new Campaign(settings, crew, observer)
          .withQuestions(new TortureQuestions(top, settings, route, observer));
      TortureProgress progress = TortureProgress.on(top.output(), settings);
      Outcome outcome = (restart == null
              ? campaign
              : campaign.withStoreRestarts(this::restartStore))
          .run(progress, signals.cancellation());
      progress.end();
      About about = new About(
          observer.capabilities().backend(),
          Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
          replay(settings),
          "All locks are released. What remains in the store: the fence counters of keys whose names contain "
              + settings.prefix() + "; no store ever deletes those.");
      Report.write(report, outcome, about);
      tell(outcome);
      if (!outcome.violations().isEmpty()) {
        return ExitCode.NO;
      }
      return signals.endingNumber() == 0
          ? ExitCode.DONE
          : ExitCode.ofSignal(signals.endingNumber());
    }
  }

  private Settings settings() {
    Set<FaultKind> unwanted = without.stream().map(this::fault).collect(Collectors.toSet());
    long chosen = seed == null ? new SecureRandom().nextInt(1_000_000) : seed;
    try {
      return new Settings(
          Duration.ofMillis((long) (minutes * 60_000)),
          workers,
          threads,
          keys,
          ttl,
          patience,
          chosen,
          // Another run, also one with the same seed, must not meet this one.
          "syncguard-torture:" + Long.toHexString(new SecureRandom().nextLong()) + ":",
          unwanted);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(spec, ExitCode.WRONG_USAGE, String.valueOf(e.getMessage()));
    }
  }

  private int work() {
    // Ctrl-C reaches all processes of a terminal; the one that was started by a person decides.
    try (Signals signals = Signals.catching(Signals.ENDING)) {
      signals.handTo(name -> {});
      WorkerProcess.run(
          task,
          () -> top.open(Stores.Purpose.WRITE),
          top.surroundings().in(),
          top.surroundings().out());
      return ExitCode.DONE;
    }
  }

  /** Returns what starts this program once more, as a worker. The store is named by its environment, which nobody else sees. */
  private static List<String> workerCommand() {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx256m",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "--enable-native-access=ALL-UNNAMED"));
    for (String name : SQLITE) {
      String value = System.getProperty(name);
      if (value != null) {
        command.add("-D" + name + "=" + value);
      }
    }
    command.addAll(List.of(
        "-cp", System.getProperty("java.class.path"), Main.class.getName(), "torture", "--worker"));
    return command;
  }

  private static Optional<Path> fakeClock() throws IOException {
    Path libraries = Path.of("/usr/lib");
    if (!Files.isDirectory(libraries)) {
      return Optional.empty();
    }
    try (Stream<Path> architectures = Files.list(libraries)) {
      return architectures
          .map(path -> path.resolve("faketime/libfaketimeMT.so.1"))
          .filter(Files::exists)
          .findFirst();
    }
  }

  private void restartStore() {
    try {
      int status = new ProcessBuilder("sh", "-c", String.valueOf(restart))
          .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      if (status != 0) {
        top.output().problem("The command that restarts the store ended with " + status);
      }
    } catch (IOException e) {
      top.output().problem("The command that restarts the store cannot be run: there is no sh");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String replay(Settings settings) {
    return "syncguard torture --seed " + settings.seed() + " --minutes " + minutes + " --workers "
        + workers + " --threads " + threads + " --keys " + keys + " --ttl " + Durations.text(ttl)
        + " --patience "
        + Durations.text(patience)
        + (without.isEmpty() ? "" : " --without " + String.join(",", without))
        + (restart == null ? "" : " --with-store-restarts CMD") + " --store STORE";
  }

  private void tell(Outcome outcome) {
    Map<String, List<String>> notTried = new TreeMap<>();
    Stream.of(FaultKind.values())
        .filter(outcome.notTried()::containsKey)
        .forEach(kind -> notTried
            .computeIfAbsent(outcome.notTried().getOrDefault(kind, ""), why -> new ArrayList<>())
            .add(kind.word()));
    notTried.forEach(
        (why, kinds) -> top.output().note("Not tried: " + String.join(", ", kinds) + ": " + why));
    int broken = outcome.violations().size();
    long grants = outcome.history().stream()
        .filter(dev.syncguard.torture.history.Event.Granted.class::isInstance)
        .count();
    String page = report.resolve(Report.PAGE).toString();
    JsonLine json = new JsonLine()
        .add("ok", broken == 0)
        .add("violations", broken)
        .add("grants", grants)
        .add("seed", outcome.settings().seed())
        .add("report", page);
    String verdict = broken == 0
        ? "No promise was broken in " + grants + " locks"
        : broken + " broken promises in " + grants + " locks; the first: "
            + outcome.violations().get(0).text();
    top.output().answer(json, verdict + "\nThe report is in " + page);
  }
}
