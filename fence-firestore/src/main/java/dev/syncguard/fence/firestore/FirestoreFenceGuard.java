package dev.syncguard.fence.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * Refuses late holders inside of the Firestore transaction that they write in.
 *
 * <p>A document carries the highest fence that it has seen in its field {@value #FIELD}. A document that changes alone carries
 * its own; for several, or for some that come and go, take one more document that carries the fence for all of them.
 * Thread-safe.
 */
public final class FirestoreFenceGuard {

  /** The field of a document with the highest fence that it has seen, a whole number. */
  public static final String FIELD = "fence";

  private final Firestore firestore;

  private FirestoreFenceGuard(Firestore firestore) {
    this.firestore = firestore;
  }

  /** Returns a guard that writes through this client, which stays the caller's to close. */
  public static FirestoreFenceGuard over(Firestore firestore) {
    return new FirestoreFenceGuard(firestore);
  }

  /** Replaces a document, which carries its own fence; a lease that is lost is refused without asking Firestore. */
  public void write(Lease lease, DocumentReference document, Map<String, ?> fields)
      throws ExecutionException, InterruptedException {
    lease.ensureHeld(Duration.ZERO);
    write(lease.fence(), document, fields);
  }

  /** Replaces a document, or throws {@link StaleFenceException} and changes nothing. */
  public void write(Fence fence, DocumentReference document, Map<String, ?> fields)
      throws ExecutionException, InterruptedException {
    if (fields.containsKey(FIELD)) {
      throw new IllegalArgumentException("The field " + FIELD + " of a guarded document belongs to"
          + " the guard; name yours otherwise, or let another document carry the fence");
    }
    Map<String, Object> fenced = new HashMap<>(fields);
    fenced.put(FIELD, fence.value());
    run(transaction -> {
      refuseIfStale(transaction.get(document).get(), fence);
      transaction.set(document, fenced);
    });
  }

  /**
   * Refuses a fence that is lower than the one in a document, and otherwise stores it there, as part of a transaction. Call
   * it after the reads of the transaction and before its writes, as Firestore demands, and let its exception pass.
   */
  public void check(Transaction transaction, DocumentReference carrier, Fence fence)
      throws ExecutionException, InterruptedException {
    check(transaction, Map.of(carrier, fence));
  }

  /** As {@link #check(Transaction, DocumentReference, Fence)}; a lease that is lost is refused without asking Firestore. */
  public void check(Transaction transaction, DocumentReference carrier, Lease lease)
      throws ExecutionException, InterruptedException {
    lease.ensureHeld(Duration.ZERO);
    check(transaction, carrier, lease.fence());
  }

  /** As {@link #check(Transaction, DocumentReference, Fence)} for a transaction under several locks: all pass, or none. */
  public void check(Transaction transaction, Map<DocumentReference, Fence> carriers)
      throws ExecutionException, InterruptedException {
    // One call for all: after its first write a transaction reads nothing more.
    DocumentReference[] documents = carriers.keySet().toArray(new DocumentReference[0]);
    for (DocumentSnapshot found : transaction.getAll(documents).get()) {
      refuseIfStale(found, Objects.requireNonNull(carriers.get(found.getReference())));
    }
    carriers.forEach((carrier, fence) ->
        transaction.set(carrier, Map.of(FIELD, fence.value()), SetOptions.merge()));
  }

  private static void refuseIfStale(DocumentSnapshot carrier, Fence fence) {
    if (!carrier.contains(FIELD)) {
      return;
    }
    if (!(carrier.get(FIELD) instanceof Long seen) || seen < 1 || seen > Fence.MAX) {
      throw new DamagedFenceException();
    }
    if (seen > fence.value()) {
      throw new StaleFenceException(fence);
    }
  }

  private void run(Attempt attempt) throws ExecutionException, InterruptedException {
    try {
      firestore
          .runTransaction(transaction -> {
            attempt.run(transaction);
            return true;
          })
          .get();
    } catch (ExecutionException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof StaleFenceException || cause instanceof DamagedFenceException) {
          throw (RuntimeException) cause;
        }
      }
      throw e;
    }
  }

  private static final class DamagedFenceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DamagedFenceException() {
      super("The field " + FIELD + " of the document that carries the fence is not a fence; nothing"
          + " was written. Find out who else writes it");
    }
  }

  private interface Attempt {
    void run(Transaction transaction) throws ExecutionException, InterruptedException;
  }
}
