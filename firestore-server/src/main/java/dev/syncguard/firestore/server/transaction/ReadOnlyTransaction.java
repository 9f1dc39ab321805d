package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** A transaction that reads one snapshot and writes nothing. */
final class ReadOnlyTransaction extends Transaction {
  private final long snapshotMicros;

  ReadOnlyTransaction(long snapshotMicros, long nowNanos) {
    super(nowNanos);
    this.snapshotMicros = snapshotMicros;
  }

  @Override
  OptionalLong readTime() {
    return OptionalLong.of(snapshotMicros);
  }

  @Override
  void willRead(Collection<DocumentName> documents) {}

  @Override
  void willQuery(String collectionId) {}

  @Override
  void willWrite(List<DocumentName> documents) {
    if (!documents.isEmpty()) {
      throw FirestoreServerException.invalid("Cannot modify entities in a read-only transaction.");
    }
  }

  @Override
  String kind() {
    return "read-only";
  }

  @Override
  CommitGate gate() {
    return CommitGate.OPEN;
  }

  @Override
  void release() {}
}
