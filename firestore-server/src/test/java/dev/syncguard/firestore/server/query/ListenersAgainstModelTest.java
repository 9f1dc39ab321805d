package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Access;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.listen.ListenStream;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What listeners are told adds up to what the model finds by looking at every document, after every commit: whoever is not
 * visited by a commit has missed nothing. Everything happens on one thread; a failure names its seed.
 */
@Tag("slow")
class ListenersAgainstModelTest {
  private static final DatabaseName NAME = new DatabaseName("demo", "(default)");
  private static final DocumentName PERMISSION = new DocumentName(NAME, "permissions/p");

  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final Transactions transactions =
      new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1);
  private final Listeners listeners = new Listeners(InstantSource.system(), 1, 64 << 20);

  /** A client that adds up what it is told. */
  private final class Client implements ListenStream.Client {
    final ListenStream stream;
    final Map<Integer, StructuredQuery> queries = new HashMap<>();
    final Map<Integer, Map<String, Document>> known = new HashMap<>();
    final Set<Integer> refused = new HashSet<>();

    Client(Authorizer authorizer) {
      stream = new ListenStream(
          Operations.of(
              new Databases(name -> new Databases.Served(database, transactions)),
              authorizer,
              IndexCheck.NONE,
              new Random(1)),
          listeners,
          new AuthContext.Anonymous(),
          this,
          Runnable::run);
    }

    void add(int id, StructuredQuery query) {
      queries.put(id, query);
      known.put(id, new HashMap<>());
      request(ListenRequest.newBuilder()
          .setAddTarget(Target.newBuilder()
              .setTargetId(id)
              .setQuery(Target.QueryTarget.newBuilder()
                  .setParent(QueryDsl.ROOT)
                  .setStructuredQuery(query))));
    }

    void remove(int id) {
      request(ListenRequest.newBuilder().setRemoveTarget(id));
      queries.remove(id);
      known.remove(id);
    }

    private void request(ListenRequest.Builder request) {
      stream.request(request.setDatabase(NAME.toString()).build());
    }

    @Override
    public void send(ListenResponse message) {
      if (message.hasDocumentChange()) {
        Document document = message.getDocumentChange().getDocument();
        message
            .getDocumentChange()
            .getTargetIdsList()
            .forEach(id -> known(id).put(document.getName(), document));
        forget(message.getDocumentChange().getRemovedTargetIdsList(), document.getName());
      } else if (message.hasDocumentDelete()) {
        forget(
            message.getDocumentDelete().getRemovedTargetIdsList(),
            message.getDocumentDelete().getDocument());
      } else if (message.hasDocumentRemove()) {
        forget(
            message.getDocumentRemove().getRemovedTargetIdsList(),
            message.getDocumentRemove().getDocument());
      } else if (message.getTargetChange().getTargetChangeType() == TargetChangeType.REMOVE
          && message.getTargetChange().hasCause()) {
        refused.addAll(message.getTargetChange().getTargetIdsList());
      }
    }

    private Map<String, Document> known(int id) {
      return Objects.requireNonNull(known.get(id));
    }

    private void forget(List<Integer> targets, String name) {
      targets.forEach(id -> known(id).remove(name));
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void requestNext() {}

    @Override
    public void fail(FirestoreServerException cause) {
      throw cause;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatListenersAreToldAddsUpToWhatTheModelFinds(long seed) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(random, 40, 3);
    Map<String, Document> model = new HashMap<>();
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      clients.add(new Client(Authorizer.open()));
    }
    int told = 0;
    for (int step = 0; step < 100; step++) {
      Client chosen = clients.get(random.nextInt(clients.size()));
      if (chosen.queries.isEmpty() || random.nextInt(3) > 0) {
        chosen.add(step + 1, queries.query(List.copyOf(model.values())));
      } else {
        chosen.remove(chosen.queries.keySet().iterator().next());
      }
      write(model, queries, 1 + random.nextInt(3), random);
      for (Client client : clients) {
        told += check(client, model, "seed " + seed + " step " + step);
      }
    }
    assertThat(told).as("listeners that are told nothing prove nothing").isGreaterThan(1_000);
  }

  private static int check(Client client, Map<String, Document> model, String where) {
    int told = 0;
    for (Map.Entry<Integer, StructuredQuery> target : client.queries.entrySet()) {
      Map<String, Map<String, Value>> known = new HashMap<>();
      client
          .known(target.getKey())
          .forEach((name, document) -> known.put(name, document.getFieldsMap()));
      Map<String, Map<String, Value>> expected = new HashMap<>();
      new NaiveQuery(QueryDsl.ROOT, target.getValue())
          .run(model.values())
          .forEach(
              name -> expected.put(name, Objects.requireNonNull(model.get(name)).getFieldsMap()));
      assertThat(known).as("%s%n%s", where, target.getValue()).isEqualTo(expected);
      told += known.size();
    }
    return told;
  }

  @Test
  void aListenerIsRefusedWhenWhatItsPermissionDependsOnGoesAlthoughNoResultDoes() {
    set(PERMISSION);
    Client client = new Client(permitted(() -> {}));
    client.add(1, QueryDsl.collection("c").build());
    assertThat(client.refused).isEmpty();
    commit(Write.newBuilder().setDelete(PERMISSION.toString()));
    assertThat(client.refused).containsExactly(1);
  }

  @Test
  void aPermissionThatGoesWhileItIsLookedAtIsMissedByNobody() {
    set(PERMISSION);
    boolean[] gone = {false};
    Client client = new Client(permitted(() -> {
      if (!gone[0]) {
        gone[0] = true;
        commit(Write.newBuilder().setDelete(PERMISSION.toString()));
      }
    }));
    client.add(1, QueryDsl.collection("c").build());
    assertThat(client.refused).containsExactly(1);
  }

  /** Lets everybody in for whom a document exists. */
  private static Authorizer permitted(Runnable meanwhile) {
    return (who, what) -> {
      boolean found =
          what instanceof Access.Find find && find.present().find(PERMISSION).isPresent();
      meanwhile.run();
      if (!found) {
        throw Authorizer.denied();
      }
    };
  }

  private void write(Map<String, Document> model, RandomQueries queries, int count, Random random) {
    List<Write.Builder> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = QueryDsl.ROOT + "/" + queries.path();
      if (random.nextInt(4) == 0) {
        writes.add(Write.newBuilder().setDelete(name));
        model.remove(name);
      } else {
        Document document =
            Document.newBuilder().setName(name).putAllFields(queries.fields()).build();
        writes.add(Write.newBuilder().setUpdate(document));
        model.put(name, document);
      }
    }
    commit(writes.toArray(Write.Builder[]::new));
  }

  private void set(DocumentName name) {
    commit(Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(name.toString()).putFields("v", Values.of(1))));
  }

  private void commit(Write.Builder... writes) {
    List<Write> built = new ArrayList<>();
    for (Write.Builder write : writes) {
      built.add(write.build());
    }
    database.commit(new WritePlanner(NAME).plan(built), CommitGate.OPEN);
  }
}
