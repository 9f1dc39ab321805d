package dev.syncguard.benchmarks.rules;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Somebody without a token who commits a full envelope, again and again, to the operations of a server without the network
 * before them. Not thread-safe.
 */
final class EnvelopeCommits {

  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String NODE =
      DATABASE + "/documents/pr_sync_v1/lw/nodes/pr_sync_" + "0123456789abcdef".repeat(4);

  private final Operations operations;
  // Two that differ, or a commit would change nothing.
  private final List<CommitRequest> requests =
      List.of(request("one:11111111"), request("two:22222222"));
  private int committed;

  EnvelopeCommits(Authorizer authorizer, IndexConfiguration indexes) {
    InstantSource time = InstantSource.fixed(Envelope.NOW);
    Databases databases = new Databases(name -> {
      Database database =
          new Database(name, Journal.NONE, time, indexes, Database.HistoryLimits.DEFAULT);
      return new Databases.Served(
          database, new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1));
    });
    this.operations = Operations.of(databases, authorizer, IndexCheck.NONE, new Random(1));
  }

  private static CommitRequest request(String writer) {
    Map<String, Value> fields = new HashMap<>(Envelope.of(10_000, 1_000));
    fields.put("lastPushedBy", Value.newBuilder().setStringValue(writer).build());
    return CommitRequest.newBuilder()
        .setDatabase(DATABASE)
        .addWrites(
            Write.newBuilder().setUpdate(Document.newBuilder().setName(NODE).putAllFields(fields)))
        .build();
  }

  /** Commits once, or fails if that is not allowed, and returns how many milliseconds it took. */
  double commit() {
    CommitRequest request = requests.get(committed++ % requests.size());
    long start = System.nanoTime();
    operations.commits().commit(new AuthContext.Anonymous(), request);
    return (System.nanoTime() - start) / 1e6;
  }
}
