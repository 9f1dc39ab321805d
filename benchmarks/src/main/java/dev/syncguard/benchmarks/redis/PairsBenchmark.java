package dev.syncguard.benchmarks.redis;

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

  private static final int MANY = 16;
  private static final Target AHEAD_IN_TIME = Target.below(1);
  private static final Target AHEAD_IN_RATE = Target.atLeast(1);

  private static final String SCRIPTS =
      "a layout of its own: all scripts share one core of the server, where ours run seven commands a pair and"
          + " the floor's four; the others are what the layout that is shared with other languages asks for, a"
          + " second key with an expiry, a JSON record and the server's clock. Functions of Redis 7 instead of"
          + " scripts, and a JSON key from the client, were measured: 1 to 3 % and 2 to 4 % less of the server's"
          + " time";

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
        "Pairs of acquire and release on keys that nobody else wants, on Redis " + version
            + " without persistence, over loopback. The *limit* is two bare PINGs over Jedis. The *floor* is"
            + " the least that a fenced lock needs, two short scripts over Jedis, without a way to wait or to"
            + " look it up. All others have the settings that they come with, except that idle connections of Redisson"
            + " do not send PINGs, which would count as the work of others. ShedLock sends a SET and a DEL;"
            + " over a blocking driver instead of Lettuce, its default, it would be close to the limit.",
        table.header(),
        table.rows(),
        List.of(
            time(table, RedisTopic.FENCED, Target.atMost(0.75)),
            time(table, RedisTopic.SPINNING, AHEAD_IN_TIME),
            time(table, RedisTopic.LISTENING, AHEAD_IN_TIME),
            time(table, RedisTopic.SHEDLOCK, Target.atMost(1))),
        List.of(panel(
            "One thread: p50 of a pair × " + RedisTopic.FENCED,
            table,
            RedisTopic.FENCED,
            Slice::p50Micros,
            Target.atMost(0.75))));
  }

  Section manyThreads() throws Exception {
    String title = "Acquire and release, " + MANY + " threads";
    LoadTable table = measure(title, MANY);
    return new Section(
        title,
        "The same with " + MANY + " threads, which share one client and the cores with the server.",
        table.header(),
        table.rows(),
        List.of(
            rate(table, RedisTopic.FENCED, Target.atLeast(2.3)),
            rate(table, RedisTopic.FLOOR, Target.atLeast(0.85)),
            rate(table, RedisTopic.SPINNING, AHEAD_IN_RATE),
            rate(table, RedisTopic.LISTENING, AHEAD_IN_RATE)),
        List.of(panel(
            MANY + " threads: pairs per second × " + RedisTopic.FLOOR,
            table,
            RedisTopic.FLOOR,
            Slice::perSecond,
            Target.atLeast(0.85))));
  }

  private LoadTable measure(String title, int threads) throws Exception {
    return LoadTable.measure(
        title,
        setting.rounds(),
        new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
        participants,
        List.of(RedisTopic.LIMIT, RedisTopic.FLOOR, RedisTopic.FENCED));
  }

  private static Goal time(LoadTable table, String bar, Target target) {
    return new Goal(
        "p50 of a pair, one thread, × " + bar,
        table.series().ratio(RedisTopic.OURS, bar, Slice::p50Micros),
        target,
        SCRIPTS);
  }

  private static Goal rate(LoadTable table, String bar, Target target) {
    return new Goal(
        "pairs/s, " + MANY + " threads, × " + bar,
        table.series().ratio(RedisTopic.OURS, bar, Slice::perSecond),
        target,
        SCRIPTS);
  }

  private static Panel panel(
      String title, LoadTable table, String bar, ToDoubleFunction<Slice> what, Target target) {
    return new Panel(
        title,
        table.series().names().stream()
            .map(name ->
                new Bar(name, table.series().ratio(name, bar, what), name.equals(RedisTopic.OURS)))
            .toList(),
        Optional.of(target));
  }
}
