package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.RunQueryRequest;
import dev.syncguard.benchmarks.KeyedPairs;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** What one pair asks of Firestore, counted as it leaves the client. The same on any machine, and much like a bill. */
final class WorkBenchmark {

  private static final int FIRST = 10;

  private final Topic.Setting setting;
  private final String host;

  WorkBenchmark(Topic.Setting setting, String host) {
    this.setting = setting;
    this.host = host;
  }

  Section measure() throws Exception {
    String title = "What a pair costs the server";
    setting.progress().accept(title);
    List<List<String>> rows = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    count(
        PairsBenchmark.BARE,
        client -> new KeyedPairs("", new BareTransactions(client)),
        rows,
        bars);
    count(
        FirestoreLocksTopic.OURS,
        client -> new SyncGuardPairs("", FirestoreLockBackend.over(client), KeyedPairs::keys),
        rows,
        bars);
    count(PairsBenchmark.SHEDLOCK, client -> new KeyedPairs("", new ShedLock(client)), rows, bars);
    count(
        PairsBenchmark.FLOOR,
        client -> new KeyedPairs("", new TransactionLock(client)),
        rows,
        bars);
    return new Section(
        title,
        "Counted as it leaves Google's client, for pairs of one thread: requests, documents that"
            + " are read, queries among the requests, and documents that are written or deleted.",
        List.of("", "requests", "reads", "queries", "writes"),
        rows,
        List.of(),
        List.of(new Panel("Requests per pair", bars, Optional.empty())));
  }

  private void count(
      String name,
      Function<Firestore, Participant> opening,
      List<List<String>> rows,
      List<Bar> bars)
      throws Exception {
    Requests seen = new Requests();
    Firestore client = Clients.connect(host, seen);
    try (Participant participant = opening.apply(client)) {
      Participant.Worker worker = participant.worker(0);
      for (int i = 0; i < FIRST; i++) {
        worker.once();
      }
      seen.reset();
      int count = Math.max(FIRST, setting.pace().warmUp() / 10);
      for (int i = 0; i < count; i++) {
        worker.once();
      }
      double requests = (double) seen.requests.get() / count;
      rows.add(List.of(
          name,
          Numbers.plain(requests),
          Numbers.plain((double) seen.reads.get() / count),
          Numbers.plain((double) seen.queries.get() / count),
          Numbers.plain((double) seen.writes.get() / count)));
      bars.add(new Bar(
          name,
          new Quartiles(requests, requests, requests),
          name.equals(FirestoreLocksTopic.OURS)));
    } finally {
      client.shutdownNow();
    }
  }

  /** Counts what a client sends. Thread-safe. */
  private static final class Requests implements ClientInterceptor {

    final AtomicLong requests = new AtomicLong();
    final AtomicLong reads = new AtomicLong();
    final AtomicLong queries = new AtomicLong();
    final AtomicLong writes = new AtomicLong();

    void reset() {
      List.of(requests, reads, queries, writes).forEach(counter -> counter.set(0));
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void sendMessage(Q message) {
          requests.incrementAndGet();
          if (message instanceof BatchGetDocumentsRequest get) {
            reads.addAndGet(get.getDocumentsCount());
          } else if (message instanceof RunQueryRequest) {
            queries.incrementAndGet();
          } else if (message instanceof CommitRequest commit) {
            writes.addAndGet(commit.getWritesCount());
          }
          super.sendMessage(message);
        }
      };
    }
  }
}
