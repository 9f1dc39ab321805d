package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.StagedWrite;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A transaction that reads one snapshot, holds nobody up, and fails at its commit if what it read has changed. */
final class OptimisticTransaction extends Transaction {
  private final long snapshotMicros;
  private final Set<DocumentName> documents = ConcurrentHashMap.newKeySet();
  private final Set<String> groups = ConcurrentHashMap.newKeySet();

  OptimisticTransaction(long snapshotMicros, long nowNanos) {
    super(nowNanos);
    this.snapshotMicros = snapshotMicros;
  }

  @Override
  OptionalLong readTime() {
    return OptionalLong.of(snapshotMicros);
  }

  @Override
  void willRead(Collection<DocumentName> names) {
    documents.addAll(names);
  }

  @Override
  void willQuery(String collectionId) {
    groups.add(collectionId);
  }

  @Override
  void willWrite(List<DocumentName> names) {}

  @Override
  String kind() {
    return "optimistic";
  }

  @Override
  CommitGate gate() {
    return this::check;
  }

  @Override
  void release() {}

  private void check(Snapshot present, long micros, List<StagedWrite> writes) {
    if (present.horizon() > snapshotMicros) {
      throw over();
    }
    for (DocumentName changed : present.changedAfter(snapshotMicros)) {
      if (documents.contains(changed)
          || groups.contains(changed.collectionId())
          || groups.contains("")) {
        throw FirestoreServerException.aborted(
            "Too much contention on these documents. Please try again.");
      }
    }
  }
}
