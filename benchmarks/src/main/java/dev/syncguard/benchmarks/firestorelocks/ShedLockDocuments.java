package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.support.AbstractStorageAccessor;

/**
 * Asks Firestore for what ShedLock's own accessor asks: each step is one transaction that reads the
 * document of the lock and perhaps writes it. A lock is ended by its time, its document stays.
 */
final class ShedLockDocuments extends AbstractStorageAccessor {

  private final Firestore firestore;

  ShedLockDocuments(Firestore firestore) {
    this.firestore = firestore;
  }

  @Override
  public boolean insertRecord(LockConfiguration lock) {
    return writeIf(lock, found -> !found.exists(), taken(lock));
  }

  @Override
  public boolean updateRecord(LockConfiguration lock) {
    return writeIf(lock, found -> until(found).compareTo(Timestamp.now()) < 0, taken(lock));
  }

  @Override
  public void unlock(LockConfiguration lock) {
    if (!writeIf(lock, this::isOurs, Map.of("lockUntil", timestamp(lock.getUnlockTime())))) {
      throw new IllegalStateException("A lock was gone before it was released");
    }
  }

  private boolean isOurs(DocumentSnapshot found) {
    return getHostname().equals(found.getString("lockedBy"))
        && until(found).compareTo(Timestamp.now()) >= 0;
  }

  private boolean writeIf(
      LockConfiguration lock, Predicate<DocumentSnapshot> allowed, Map<String, Object> fields) {
    DocumentReference document = firestore.collection("shedlock").document(lock.getName());
    try {
      return firestore
          .runTransaction(transaction -> {
            DocumentSnapshot found = transaction.get(document).get();
            if (!allowed.test(found)) {
              return false;
            }
            if (found.exists()) {
              transaction.update(document, fields);
            } else {
              transaction.set(document, fields);
            }
            return true;
          })
          .get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    } catch (ExecutionException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private Map<String, Object> taken(LockConfiguration lock) {
    return Map.of(
        "lockUntil", timestamp(lock.getLockAtMostUntil()),
        "lockedAt", Timestamp.now(),
        "lockedBy", getHostname());
  }

  private static Timestamp until(DocumentSnapshot found) {
    Timestamp until = found.getTimestamp("lockUntil");
    return until == null ? Timestamp.MAX_VALUE : until;
  }

  private static Timestamp timestamp(Instant time) {
    return Timestamp.ofTimeSecondsAndNanos(time.getEpochSecond(), time.getNano());
  }
}
