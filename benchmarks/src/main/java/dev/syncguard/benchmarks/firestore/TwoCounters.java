package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.TransactionOptions;
import dev.syncguard.benchmarks.measure.Participant;
import java.util.List;

/** Transactions that count in two documents at once. */
record TwoCounters(String name, Firestore client, AutoCloseable server) implements Participant {

  private static final TransactionOptions PATIENT =
      TransactionOptions.createReadWriteOptionsBuilder()
          .setNumberOfAttempts(1000)
          .build();

  @Override
  public Worker worker(int thread) {
    DocumentReference x = client.document("counters/x");
    DocumentReference y = client.document("counters/y");
    return () -> client
        .runTransaction(
            transaction -> {
              List<DocumentSnapshot> read = transaction.getAll(x, y).get();
              for (DocumentSnapshot counter : read) {
                Long n = counter.getLong("n");
                transaction.set(
                    counter.getReference(), java.util.Map.of("n", n == null ? 1L : n + 1));
              }
              return true;
            },
            PATIENT)
        .get();
  }

  @Override
  public void close() {
    Clients.close(client);
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("A server could not be closed", e);
    }
  }
}
