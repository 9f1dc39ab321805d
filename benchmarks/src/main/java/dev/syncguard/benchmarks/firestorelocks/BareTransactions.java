package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.KeyedLock;
import java.util.Map;

/** No lock at all: one transaction that reads and writes two documents for each half of a pair. */
final class BareTransactions implements KeyedLock {

  private final Firestore firestore;

  BareTransactions(Firestore firestore) {
    this.firestore = firestore;
  }

  @Override
  public void underLock(String key, Runnable work) throws Exception {
    transact(key);
    work.run();
    transact(key);
  }

  private void transact(String key) throws Exception {
    DocumentReference one = firestore.collection("bare_one").document(key);
    DocumentReference two = firestore.collection("bare_two").document(key);
    firestore
        .runTransaction(transaction -> {
          transaction.getAll(one, two).get();
          long now = System.nanoTime();
          transaction.set(one, Map.of("value", now));
          transaction.set(two, Map.of("value", now));
          return now;
        })
        .get();
  }

  @Override
  public void close() {
    firestore.shutdownNow();
  }
}
