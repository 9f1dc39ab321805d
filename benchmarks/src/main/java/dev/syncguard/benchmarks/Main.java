package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.fence.FenceTopic;
import dev.syncguard.benchmarks.firestore.FirestoreTopic;
import dev.syncguard.benchmarks.firestorelocks.FirestoreLocksTopic;
import dev.syncguard.benchmarks.postgres.PostgresTopic;
import dev.syncguard.benchmarks.redis.RedisDriversTopic;
import dev.syncguard.benchmarks.redis.RedisTopic;
import dev.syncguard.benchmarks.report.Machine;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Report;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.rules.RulesTopic;
import dev.syncguard.benchmarks.sqlite.SqliteTopic;
import dev.syncguard.benchmarks.startup.StartUpTopic;
import dev.syncguard.benchmarks.sync.SyncTopic;
import dev.syncguard.benchmarks.userscript.UserscriptTopic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Measures the topics that were asked for and writes a report about each. */
final class Main {

  private static final List<Topic> TOPICS = List.of(
      new SqliteTopic(),
      new RedisTopic(),
      new RedisDriversTopic(),
      new PostgresTopic(),
      new FirestoreTopic(),
      new FirestoreLocksTopic(),
      new FenceTopic(),
      new RulesTopic(),
      new SyncTopic(),
      new UserscriptTopic(),
      new StartUpTopic());

  private Main() {}

  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(TOPICS, args);
    } catch (IllegalArgumentException e) {
      say(e.getMessage() + "; see --help");
      System.exit(64);
      return;
    }
    for (Topic topic : TOPICS) {
      if (options.topics().contains(topic.name())) {
        long start = System.nanoTime();
        Report report = measure(topic, options);
        say(topic.name() + " took " + Numbers.plain((System.nanoTime() - start) / 6e10)
            + " minutes");
        report.write(options.results());
        // A quick run is too short for its figures to mean anything.
        List<String> findings =
            options.quick() ? List.of(topic.name() + ": everything ran") : report.summary();
        findings.forEach(System.out::println);
      }
    }
  }

  private static Report measure(Topic topic, Options options) throws Exception {
    Machine machine = new Machine();
    try (Workspace files =
        options.quick() ? Workspace.withoutDisk(options.work()) : Workspace.on(options.work())) {
      Thread cleaner = new Thread(() -> delete(files));
      Runtime.getRuntime().addShutdownHook(cleaner);
      List<Section> sections = topic.measure(new Topic.Setting(
          options.pace(), files, options.launcher(), options.quick() ? unused -> {} : Main::say));
      Report report =
          new Report(topic.name(), topic.title(), machine.facts(files.disk()), sections);
      Runtime.getRuntime().removeShutdownHook(cleaner);
      return report;
    }
  }

  /** Somebody who loses patience and interrupts the program finds nothing left behind either. */
  private static void delete(Workspace files) {
    try {
      files.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void say(String what) {
    System.err.println("benchmarks: " + what);
  }
}
