package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Transactions that all want the same two documents, beside a server that lets the loser wait. */
final class ContentionBenchmark {

  private static final String OURS = "SyncGuard";
  private static final String WAITING = "loser waits 2 s";
  private static final int CLIENTS = 8;
  private static final Target TARGET = Target.atLeast(20);

  /** Each takes long, because the losers of the other server do. */
  private static final int ROUNDS = 3;

  private final Topic.Setting setting;

  ContentionBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure() throws Exception {
    String title = "Contended transactions";
    LoadTable table = run(title);
    Quartiles ratio = table.series().ratio(OURS, WAITING, Slice::perSecond);
    return new Section(
        title,
        CLIENTS
            + " threads of Google's client, each in a transaction that reads two documents and adds one to both, over"
            + " and over. The other server locks alike, but finds no deadlock: of two that have read and both want to"
            + " write, the first to wait gives up after two seconds, as is known of the official emulator.",
        table.header(),
        table.rows(),
        List.of(new Goal("contended transactions/s × " + WAITING, ratio, TARGET)),
        List.of(new Panel(
            title + ": per second × " + WAITING,
            List.of(new Bar(OURS, ratio, true)),
            Optional.of(TARGET))));
  }

  private LoadTable run(String title) throws Exception {
    List<Participant> participants = new ArrayList<>();
    try {
      WaitingLosers losers = new WaitingLosers();
      participants.add(new TwoCounters(WAITING, Clients.connect(losers.emulatorHost()), losers));
      FirestoreServer server = FirestoreServer.builder().start();
      participants.add(new TwoCounters(OURS, Clients.connect(server.emulatorHost()), server));
      // Longer than the other server's losers wait, so that some of its transactions end.
      Duration slice =
          setting.startsPeers() ? Duration.ofSeconds(6) : setting.pace().slice();
      int count = Math.min(ROUNDS, setting.pace().contests());
      return LoadTable.measure(
          title,
          new Rounds(count, 0, setting.progress()),
          new Load(CLIENTS, slice, 1),
          participants,
          List.of(WAITING));
    } finally {
      participants.forEach(Participant::close);
    }
  }
}
