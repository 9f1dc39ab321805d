package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.firestore.server.FirestoreServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How fast single documents are written and read, beside a server that does nothing but answer. */
final class DocumentsBenchmark {

  private static final Target READS = Target.atLeast(0.8);
  private static final Target WRITES = Target.atLeast(0.7);

  private static final String READS_TAKE =
      "less work between the request and its answer: plain reads are answered by the thread that read them already"
          + " (ADR 21), so what is left is the rules, the document and its encoding; measure what each of them takes";
  private static final String WRITES_TAKE =
      "commits on the thread that read; that was built and measured slower, because a commit can wait for"
          + " another one";

  private final Topic.Setting setting;

  DocumentsBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure(String what, int threads) throws Exception {
    String title = capital(what) + " of single documents, "
        + (threads == 1 ? "one thread" : threads + " threads");
    String ours = "SyncGuard";
    String echo = "echo";
    String direct = "echo by the thread that read";
    List<Participant> participants = new ArrayList<>();
    boolean writes = what.equals("writes");
    LoadTable table;
    try {
      participants.add(echo(echo, true, writes));
      participants.add(echo(direct, false, writes));
      FirestoreServer server = FirestoreServer.builder().start();
      participants.add(
          new DocumentOperations(ours, Clients.connect(server.emulatorHost()), writes, server));
      table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
          participants,
          List.of(echo, direct));
    } finally {
      participants.forEach(Participant::close);
    }
    Quartiles ratio = table.series().ratio(ours, direct, Slice::perSecond);
    Target target = writes ? WRITES : READS;
    String remedy = writes ? WRITES_TAKE : READS_TAKE;
    return new Section(
        title,
        (writes ? "`set`" : "`get`")
            + " of one small document through Google's client, against the same client on the same gRPC stack with"
            + " nothing behind it. The bar is an echo that answers on the very thread that read the request. The other echo"
            + " gives each call a thread that may wait, as every server must that has locks or a disk to wait for, and"
            + " stands beside for information. Client and servers share one JVM and its cores.",
        table.header(),
        table.rows(),
        List.of(new Goal(title + ", per second × " + direct, ratio, target, remedy)),
        List.of(new Panel(
            title + ": per second × " + direct,
            List.of(new Bar(ours, ratio, true)),
            Optional.of(target))));
  }

  private static Participant echo(String name, boolean blocking, boolean writes) {
    EchoServer server = new EchoServer(blocking);
    return new DocumentOperations(name, Clients.connect(server.emulatorHost()), writes, server);
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
