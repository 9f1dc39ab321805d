package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.KeyedLock;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The least that a fenced lock needs, as transactions in the words of the specification. Does not wait. */
final class TransactionLock implements KeyedLock {

  private final Firestore firestore;

  TransactionLock(Firestore firestore) {
    this.firestore = firestore;
  }

  @Override
  public void underLock(String key, Runnable work) throws Exception {
    String id = UUID.randomUUID().toString();
    if (!acquire(key, id)) {
      throw new IllegalStateException("A key that nobody else wants was taken");
    }
    work.run();
    if (!release(id)) {
      throw new IllegalStateException("A lock was gone before it was released");
    }
  }

  private boolean acquire(String key, String id) throws Exception {
    DocumentReference lock = firestore.collection("floor_locks").document(key);
    DocumentReference fence = firestore.collection("floor_fences").document(key);
    return firestore
        .runTransaction(transaction -> {
          List<DocumentSnapshot> both = transaction.getAll(lock, fence).get();
          if (both.get(0).exists()) {
            return false;
          }
          Long handedOut = both.get(1).getLong("fence");
          long next = handedOut == null ? 1 : handedOut + 1;
          transaction.set(fence, Map.of("fence", next));
          transaction.set(
              lock,
              Map.of(
                  "lockId", id, "fence", next, "expiresAtMs", System.currentTimeMillis() + 30_000));
          return true;
        })
        .get();
  }

  private boolean release(String id) throws Exception {
    return firestore
        .runTransaction(transaction -> {
          var found = transaction
              .get(firestore.collection("floor_locks").whereEqualTo("lockId", id))
              .get()
              .getDocuments();
          found.forEach(lock -> transaction.delete(lock.getReference()));
          return found.size() == 1;
        })
        .get();
  }

  @Override
  public void close() {
    firestore.shutdownNow();
  }
}
