package dev.syncguard.benchmarks.startup;

import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The command line as a shell sees it: from starting it to its end. */
public final class StartUpTopic implements Topic {

  private static final String NOTHING = "java, doing nothing";
  private static final int FREE = 1;
  private static final String VERSION = "syncguard version";
  private static final String IS_LOCKED = "syncguard is-locked KEY";
  private static final String RUN = "syncguard run KEY -- true";
  private static final Target BARE = Target.atMost(2);
  private static final String BARE_TAKES =
      "a native image, or a lock in a file without SQLite's driver, whose library and formats of dates take as long as"
          + " all else together: ADR 44";

  @Override
  public String name() {
    return "start-up";
  }

  @Override
  public String title() {
    return "Start-up of the command line";
  }

  /** It would build the program first, and the launcher has a test of its own. */
  @Override
  public boolean isTriedQuickly() {
    return false;
  }

  @Override
  public List<Section> measure(Setting setting) throws Exception {
    Path store = setting.files().onDisk("start-up.db");
    String launcher = setting.launcher().toString();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Map<String, Callable<Double>> commands = new LinkedHashMap<>();
    commands.put(
        NOTHING,
        new Command(
            List.of(
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                // Alone: a JVM looks at every entry of its class path.
                Path.of(Nothing.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                    .toString(),
                Nothing.class.getName()),
            store));
    commands.put(VERSION, new Command(List.of(launcher, "version"), store));
    commands.put(IS_LOCKED, new Command(List.of(launcher, "is-locked", "job"), store, FREE));
    commands.put(RUN, new Command(List.of(launcher, "run", "job", "--", "true"), store));
    Series<Double> millis = setting.rounds().run("Start-up", commands);
    return List.of(new Section(
        "Start-up",
        "Milliseconds from starting a command to its end, one at a time; `" + RUN
            + "` takes a lock,"
            + " starts a child, waits for it and releases the lock. No Java program can be faster than the"
            + " first row.",
        List.of("", "ms", "× " + NOTHING),
        millis.names().stream()
            .map(name -> List.of(
                name,
                Numbers.with(millis.of(name, value -> value)),
                Numbers.with(millis.ratio(name, NOTHING, value -> value))))
            .toList(),
        List.of(
            new Goal(VERSION, millis.ratio(VERSION, NOTHING, value -> value), BARE, BARE_TAKES),
            new Goal(
                IS_LOCKED, millis.ratio(IS_LOCKED, NOTHING, value -> value), BARE, BARE_TAKES)),
        List.of(new Panel(
            "Milliseconds from start to end",
            millis.names().stream()
                .map(name -> new Bar(name, millis.of(name, value -> value), !name.equals(NOTHING)))
                .toList(),
            Optional.empty()))));
  }
}
