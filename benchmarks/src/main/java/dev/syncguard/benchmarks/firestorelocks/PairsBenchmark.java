package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How fast free keys are taken and given back, beside transactions that do nothing of the sort. */
final class PairsBenchmark {

  static final String BARE = "bare two-document transactions";
  static final String FLOOR = "hand-written floor: a transaction each (no waiting)";
  static final String SHEDLOCK = "ShedLock's core (no fence, no waiting)";
  private static final int MANY = 16;
  private static final Target NOT_SLOWER = Target.atMost(1.2);
  private static final Target AHEAD = Target.below(1);

  private final Topic.Setting setting;
  private final String host;

  PairsBenchmark(Topic.Setting setting, String host) {
    this.setting = setting;
    this.host = host;
  }

  List<Section> measure() throws Exception {
    List<Participant> all = new ArrayList<>();
    Firestore client = Clients.connect(host);
    try {
      all.add(new KeyedPairs(BARE, new BareTransactions(Clients.connect(host))));
      all.add(new SyncGuardPairs(
          FirestoreLocksTopic.OURS, FirestoreLockBackend.over(client), KeyedPairs::keys));
      all.add(new KeyedPairs(SHEDLOCK, new ShedLock(Clients.connect(host))));
      all.add(new KeyedPairs(FLOOR, new TransactionLock(Clients.connect(host))));
      return List.of(
          section(
              1,
              all,
              "Pairs of acquire and release on keys that nobody else wants, on the embedded server in the same"
                  + " JVM, over loopback. Everybody uses Google's client with the settings that it comes with."
                  + " The bar is a bare transaction for each half of a pair, which reads two documents and"
                  + " writes both. The *floor* is a fenced lock in the words of the specification: a transaction"
                  + " to acquire, another to release. *ShedLock* is its published core; its provider for"
                  + " Firestore is in no registry that we found, so our own code sends what that provider sends:"
                  + " a transaction on one document for each half of a pair."),
          section(
              MANY,
              all.subList(0, 3),
              "The same with " + MANY
                  + " threads, which share one client each. The floor is missing: a query inside of a"
                  + " transaction locks the collection, so its releases would fail one another."));
    } finally {
      all.forEach(Participant::close);
      client.shutdownNow();
    }
  }

  private Section section(int threads, List<Participant> participants, String text)
      throws Exception {
    String title = "Acquire and release, " + (threads == 1 ? "one thread" : threads + " threads");
    LoadTable table = LoadTable.measure(
        title,
        setting.rounds(),
        new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
        participants,
        List.of(BARE));
    List<Goal> goals = new ArrayList<>();
    goals.add(goal(table, threads, BARE, NOT_SLOWER));
    goals.add(goal(table, threads, SHEDLOCK, AHEAD));
    if (table.series().names().contains(FLOOR)) {
      goals.add(goal(table, threads, FLOOR, AHEAD));
    }
    return new Section(
        title, text, table.header(), table.rows(), goals, List.of(panel(title, table)));
  }

  private static Goal goal(LoadTable table, int threads, String bar, Target target) {
    return new Goal(
        "p50 of a pair, " + (threads == 1 ? "one thread" : threads + " threads") + ", × " + bar,
        table.series().ratio(FirestoreLocksTopic.OURS, bar, Slice::p50Micros),
        target);
  }

  private static Panel panel(String title, LoadTable table) {
    return new Panel(
        title + ": p50 of a pair × " + BARE,
        table.series().names().stream()
            .map(name -> new Bar(
                name,
                table.series().ratio(name, BARE, Slice::p50Micros),
                name.equals(FirestoreLocksTopic.OURS)))
            .toList(),
        Optional.of(NOT_SLOWER));
  }
}
