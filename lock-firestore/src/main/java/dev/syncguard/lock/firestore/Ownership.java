package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.Absence;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose documents carry a lock id: normally one, and it is the holder's.
 *
 * <p>An index promises nothing about ownership, so the id is compared once more here. Several documents with one id
 * never come from us; then the operator is warned, dead ones are swept out, and if more than one is live none is touched.
 */
final class Ownership {

  private static final System.Logger log = System.getLogger(Ownership.class.getName());

  private record Claim(DocumentSnapshot document, LockRecord record) {}

  private final List<Claim> live = new ArrayList<>();
  private final List<Claim> dead = new ArrayList<>();

  private Ownership() {}

  static Ownership of(LockId id, List<QueryDocumentSnapshot> found, long nowMs) {
    Ownership ownership = new Ownership();
    for (DocumentSnapshot document : found) {
      LockRecord.of(document)
          .filter(record -> record.belongsTo(id))
          .ifPresent(record -> (record.isLive(nowMs) ? ownership.live : ownership.dead)
              .add(new Claim(document, record)));
    }
    if (ownership.isDuplicated()) {
      log.log(
          Level.WARNING,
          () -> "Lock id " + id.hash() + " stands in " + ownership.live.size() + " live and "
              + ownership.dead.size() + " dead documents; find out who writes lock documents by"
              + " other means than SyncGuard");
    }
    return ownership;
  }

  boolean isDuplicated() {
    return live.size() + dead.size() > 1;
  }

  /** Returns the one document that is live. */
  Optional<DocumentSnapshot> holding() {
    return live.size() == 1 ? Optional.of(live.get(0).document) : Optional.empty();
  }

  /** Returns what the one document that is live says. */
  Optional<LockRecord> held() {
    return live.size() == 1 ? Optional.of(live.get(0).record) : Optional.empty();
  }

  Absence absence() {
    return live.isEmpty() && !dead.isEmpty() ? Absence.EXPIRED : Absence.NOT_FOUND;
  }

  /** Removes the dead among several documents. */
  void sweep(WriteBatch writes) {
    if (isDuplicated()) {
      for (Claim claim : dead) {
        writes.delete(
            claim.document.getReference(), Precondition.updatedAt(claim.document.getUpdateTime()));
      }
    }
  }
}
