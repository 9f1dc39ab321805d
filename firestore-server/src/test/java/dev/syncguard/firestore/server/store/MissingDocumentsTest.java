package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.Write;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.DocumentLists;
import dev.syncguard.firestore.server.operation.Gatekeeper;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Documents that do not exist but have something below them are listed page by page, each page for its own cost. */
class MissingDocumentsTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final DocumentLists lists = new DocumentLists(
      new Databases(name -> new Databases.Served(
          database, new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1))),
      new Gatekeeper(Authorizer.open()),
      IndexCheck.NONE);

  @Test
  void aPageInTheMiddleVisitsWhatIsOnIt() {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      writes.add(set(String.format("c/d%04d/sub/x", i)));
      writes.add(set(String.format("c/d%04d/sub/y", i)));
    }
    commit(writes);
    database.read(snapshot -> {
      assertThat(snapshot.missingDocuments("c", "d1499", 10))
          .hasSize(10)
          .startsWith("d1500")
          .endsWith("d1509");
      assertThat(snapshot.visitedEntries()).isLessThan(30);
      return snapshot;
    });
  }

  @Test
  void atRandomThePagesTogetherAreWhatThereIsNowAndWasThen() {
    Random random = new Random(5);
    Set<String> existing = new TreeSet<>();
    Set<String> below = new TreeSet<>();
    Set<String> then = Set.of();
    Timestamp time = Timestamp.getDefaultInstance();
    for (int step = 0; step < 60; step++) {
      List<Write> writes = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        change(String.format("d%02d", random.nextInt(60)), random, existing, below, writes);
      }
      commit(writes);
      Set<String> now = new TreeSet<>(existing);
      now.addAll(below);
      if (step == 40) {
        then = now;
        time = Times.timestamp(database.read(Snapshot::micros));
      }
      int page = 1 + random.nextInt(20);
      assertThat(listed(page, null)).as("step " + step).containsExactlyElementsOf(now);
      if (step > 40) {
        assertThat(listed(page, time)).as("past, step " + step).containsExactlyElementsOf(then);
      }
    }
  }

  private static void change(
      String id, Random random, Set<String> existing, Set<String> below, List<Write> writes) {
    boolean self = random.nextBoolean();
    String path = self ? "c/" + id : "c/" + id + "/sub/x";
    boolean add = random.nextInt(3) > 0;
    writes.removeIf(
        write -> (write.getUpdate().getName() + write.getDelete()).endsWith("/" + path));
    writes.add(add ? set(path) : Write.newBuilder().setDelete(name(path)).build());
    Set<String> changed = self ? existing : below;
    if (add) {
      changed.add(id);
    } else {
      changed.remove(id);
    }
  }

  private List<String> listed(int page, @Nullable Timestamp time) {
    List<String> ids = new ArrayList<>();
    ListDocumentsRequest.Builder request = ListDocumentsRequest.newBuilder()
        .setParent(NAME.documents())
        .setCollectionId("c")
        .setShowMissing(true)
        .setPageSize(page);
    if (time != null) {
      request.setReadTime(time);
    }
    do {
      ListDocumentsResponse answer = lists.list(new AuthContext.Owner(), request.build());
      assertThat(answer.getDocumentsCount()).isLessThanOrEqualTo(page);
      answer
          .getDocumentsList()
          .forEach(document ->
              ids.add(document.getName().substring(document.getName().lastIndexOf('/') + 1)));
      request.setPageToken(answer.getNextPageToken());
    } while (!request.getPageToken().isEmpty());
    return ids;
  }

  private static Write set(String path) {
    return Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(name(path)).putFields("v", Values.of(1)))
        .build();
  }

  private static String name(String path) {
    return NAME.documents() + "/" + path;
  }

  private void commit(List<Write> writes) {
    database.commit(new WritePlanner(NAME).plan(writes), CommitGate.OPEN);
  }
}
