package dev.syncguard.benchmarks.postgres;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** How fast free keys are taken and given back, by everybody on the same server in turn. */
final class PairsBenchmark {

  static final int MANY = 16;

  private static final String LESS_WORK =
      "a layout of its own: the one that is shared with other languages keeps fences in a second table and"
          + " writes three indexes, where the floor updates one row in place. An acquire takes about 1.6 times the"
          + " processor of the floor's: beside the commit, a look at lock and line, the fence and the row cost 30 to"
          + " 40 µs each. Or the calls of several threads in one statement and one commit: with eight keys in one, the"
          + " server took 75 µs of processor time for a pair instead of 190, where the floor took 80; what that"
          + " asks for is in ADR 42. On a machine whose processors are free, the one wait for the disk that is saved weighs"
          + " more";

  private final Topic.Setting setting;
  private final List<Participant> participants;

  PairsBenchmark(Topic.Setting setting, List<Participant> participants) {
    this.setting = setting;
    this.participants = participants;
  }

  Section oneThread(String version) throws Exception {
    String title = "Acquire and release, one thread";
    LoadTable table = measure(title, 1);
    return new Section(
        title,
        "Pairs of acquire and release on keys that nobody else wants, on PostgreSQL " + version
            + " with its default durability, over loopback and one pool of connections for all. The *limits*"
            + " are bare statements. The *floor* is the least that a fenced lock needs: an upsert and an UPDATE"
            + " of one row, both durable, without a way to wait or to look it up. SyncGuard's release does not"
            + " wait for the disk: if a crash undoes it, the lock ends with its ttl. An *advisory lock* writes"
            + " nothing, keeps a connection while it is held, ends with it, and has neither ttl nor fence: it is"
            + " here to be seen, not to be beaten.",
        table.header(),
        table.rows(),
        List.of(
            time(table, PostgresTopic.FLOOR, Target.atMost(0.9)),
            time(table, PostgresTopic.SHEDLOCK, Target.atMost(0.6))),
        List.of(panel(
            "One thread: p50 of a pair × " + PostgresTopic.FLOOR,
            table,
            Slice::p50Micros,
            Target.atMost(0.9))));
  }

  Section manyThreads() throws Exception {
    String title = "Acquire and release, " + MANY + " threads";
    LoadTable table = measure(title, MANY);
    return new Section(
        title,
        "The same with " + MANY
            + " threads and as many connections. Commits that come together share one"
            + " wait for the disk, so that the work of the processors counts more.",
        table.header(),
        table.rows(),
        List.of(
            rate(table, PostgresTopic.FLOOR, Target.atLeast(0.85)),
            rate(table, PostgresTopic.SHEDLOCK, Target.atLeast(1.4))),
        List.of(panel(
            MANY + " threads: pairs per second × " + PostgresTopic.FLOOR,
            table,
            Slice::perSecond,
            Target.atLeast(0.85))));
  }

  private LoadTable measure(String title, int threads) throws Exception {
    return LoadTable.measure(
        title,
        setting.rounds(),
        new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
        participants,
        List.of(PostgresTopic.UPDATES, PostgresTopic.FLOOR, PostgresTopic.SHEDLOCK));
  }

  private static Goal time(LoadTable table, String bar, Target target) {
    return new Goal(
        "p50 of a pair, one thread, × " + bar,
        table.series().ratio(PostgresTopic.OURS, bar, Slice::p50Micros),
        target,
        LESS_WORK);
  }

  private static Goal rate(LoadTable table, String bar, Target target) {
    return new Goal(
        "pairs/s, " + MANY + " threads, × " + bar,
        table.series().ratio(PostgresTopic.OURS, bar, Slice::perSecond),
        target,
        LESS_WORK);
  }

  private static Panel panel(
      String title, LoadTable table, ToDoubleFunction<Slice> what, Target target) {
    return new Panel(
        title,
        table.series().names().stream()
            .map(name -> new Bar(
                name,
                table.series().ratio(name, PostgresTopic.FLOOR, what),
                name.equals(PostgresTopic.OURS)))
            .toList(),
        Optional.of(target));
  }
}
