package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.QueryDocumentSnapshot;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockListing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Lists live locks by the index of their expiries. */
final class FirestoreListing implements LockListing {

  private final Calls calls;
  private final LockDocuments documents;
  private final Time time;

  FirestoreListing(Calls calls, LockDocuments documents, Time time) {
    this.calls = calls;
    this.documents = documents;
    this.time = time;
  }

  @Override
  public List<LockInfoDebug> liveRaw(int limit, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    long earliest = time.now().toEpochMilli() - Liveness.TIME_TOLERANCE_MS;
    List<QueryDocumentSnapshot> found = calls
        .find(
            calls.begin(cancellation),
            documents
                .locks()
                .whereGreaterThan(LockRecord.EXPIRES_AT, earliest)
                .orderBy(LockRecord.EXPIRES_AT)
                .limit(limit))
        .getDocuments();
    Instant now = time.now();
    return found.stream()
        .flatMap(document -> readable(document).stream())
        .filter(record -> record.isLive(now.toEpochMilli()))
        .map(record -> record.describe(now))
        .toList();
  }

  /** A list is for people who look around; one bad document must not hide the good ones. */
  private static Optional<LockRecord> readable(QueryDocumentSnapshot document) {
    try {
      return LockRecord.of(document);
    } catch (LockException e) {
      return Optional.empty();
    }
  }
}
