package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.TransactionOptions;
import dev.syncguard.lock.spi.Liveness;
import java.util.List;
import java.util.Map;

/** Another library on the same documents: one transaction per operation, as the specification words it. */
final class ForeignClient {

  private static final TransactionOptions RETRYING =
      TransactionOptions.createReadWriteOptionsBuilder()
          .setNumberOfAttempts(100)
          .build();

  private final Firestore firestore;

  ForeignClient(Firestore firestore) {
    this.firestore = firestore;
  }

  /** Returns the fence, or zero if somebody else holds the key. */
  long acquire(String key, String id, long ttlMs) {
    DocumentReference lock = firestore.collection("locks").document(key);
    DocumentReference fence = firestore.collection("fence_counters").document("fence:" + key);
    return Documents.await(firestore.runTransaction(
        transaction -> {
          List<DocumentSnapshot> both = transaction.getAll(lock, fence).get();
          long now = System.currentTimeMillis();
          if (both.get(0).exists() && Liveness.isLive(both.get(0).getLong("expiresAtMs"), now)) {
            return 0L;
          }
          long next = both.get(1).exists() ? Long.parseLong(both.get(1).getString("fence")) + 1 : 1;
          String text = String.format("%015d", next);
          transaction.set(fence, Map.of("fence", text, "keyDebug", key));
          transaction.set(
              lock,
              Map.of(
                  "lockId", id,
                  "expiresAtMs", now + ttlMs,
                  "acquiredAtMs", now,
                  "key", key,
                  "fence", text));
          return next;
        },
        RETRYING));
  }

  boolean release(String id) {
    return Documents.await(firestore.runTransaction(
        transaction -> {
          List<? extends DocumentSnapshot> found = transaction
              .get(firestore.collection("locks").whereEqualTo("lockId", id))
              .get()
              .getDocuments();
          long now = System.currentTimeMillis();
          if (found.isEmpty() || !Liveness.isLive(found.get(0).getLong("expiresAtMs"), now)) {
            return false;
          }
          transaction.delete(found.get(0).getReference());
          return true;
        },
        RETRYING));
  }

  boolean extend(String id, long ttlMs) {
    return Documents.await(firestore.runTransaction(
        transaction -> {
          List<? extends DocumentSnapshot> found = transaction
              .get(firestore.collection("locks").whereEqualTo("lockId", id))
              .get()
              .getDocuments();
          long now = System.currentTimeMillis();
          if (found.isEmpty() || !Liveness.isLive(found.get(0).getLong("expiresAtMs"), now)) {
            return false;
          }
          transaction.update(found.get(0).getReference(), "expiresAtMs", now + ttlMs);
          return true;
        },
        RETRYING));
  }
}
