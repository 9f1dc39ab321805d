package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.TransactionOptions;
import dev.syncguard.firestore.server.junit.FirestoreTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people do with a Firestore, done with Google's client, in a test class of the kind that they will write. */
@FirestoreTest
class OfficialClientTest {
  @Test
  void aDocumentComesBackAsItWasWritten(Firestore firestore) throws Exception {
    DocumentReference city = firestore.document("cities/LA");
    city.set(Map.of("name", "Los Angeles", "population", 3_900_000L)).get();
    assertThat(city.get().get().getData()).containsEntry("name", "Los Angeles");
  }

  @Test
  void everyTestStartsWithAnEmptyDatabase(Firestore firestore) throws Exception {
    assertThat(firestore.collection("cities").get().get().isEmpty()).isTrue();
    firestore.document("cities/any").set(Map.of()).get();
  }

  @Test
  void anotherTestStartsWithAnEmptyDatabase(Firestore firestore) throws Exception {
    everyTestStartsWithAnEmptyDatabase(firestore);
  }

  @Test
  void aQueryIsOrderedAndLimited(Firestore firestore) throws Exception {
    for (int i = 0; i < 5; i++) {
      firestore.document("n/" + i).set(Map.of("v", i)).get();
    }
    assertThat(firestore
            .collection("n")
            .orderBy("v", Query.Direction.DESCENDING)
            .limit(2)
            .get()
            .get()
            .getDocuments())
        .extracting(document -> document.getLong("v"))
        .containsExactly(4L, 3L);
  }

  /** Eight writers over two documents: every increment that was promised is there. */
  @Test
  @Timeout(240)
  void contendedTransactionsLoseNoUpdate(Firestore firestore) throws Exception {
    int clients = 8;
    int transactions = 200;
    List<DocumentReference> counters =
        List.of(firestore.document("counters/a"), firestore.document("counters/b"));
    for (DocumentReference counter : counters) {
      counter.set(Map.of("n", 0L)).get();
    }
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int offset = client;
        done.add(threads.submit(() -> {
          for (int i = 0; i < transactions; i++) {
            DocumentReference counter = counters.get((i + offset) % 2);
            firestore
                .runTransaction(
                    transaction -> {
                      long n = transaction.get(counter).get().getLong("n");
                      transaction.update(counter, "n", n + 1);
                      return n;
                    },
                    TransactionOptions.createReadWriteOptionsBuilder()
                        .setNumberOfAttempts(100)
                        .build())
                .get();
          }
          return null;
        }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    long total = 0;
    for (DocumentReference counter : counters) {
      total += counter.get().get().getLong("n");
    }
    assertThat(total).isEqualTo((long) clients * transactions);
  }

  @Test
  void concurrentIncrementsOfOneDocumentAddUp(Firestore firestore) throws Exception {
    DocumentReference counter = firestore.document("counters/c");
    List<Future<?>> writes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      writes.add(counter.set(Map.of("n", FieldValue.increment(1)), SetOptions.merge()));
    }
    for (Future<?> write : writes) {
      write.get();
    }
    assertThat(counter.get().get().getLong("n")).isEqualTo(200);
  }
}
