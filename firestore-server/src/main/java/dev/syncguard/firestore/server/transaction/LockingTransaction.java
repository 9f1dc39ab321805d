package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** A transaction that holds still what it has read, so that nothing can go wrong at its commit. */
final class LockingTransaction extends Transaction {
  private final LockTable locks;
  private final LockOwner owner;

  LockingTransaction(LockTable locks, LockOwner owner, long nowNanos) {
    super(nowNanos);
    this.locks = locks;
    this.owner = owner;
  }

  @Override
  OptionalLong readTime() {
    return OptionalLong.empty();
  }

  @Override
  void willRead(Collection<DocumentName> documents) {
    acquire(documents.stream().map(Lock::readDocument).toList());
  }

  @Override
  void willQuery(String collectionId) {
    acquire(List.of(Lock.readGroup(collectionId)));
  }

  @Override
  void willWrite(List<DocumentName> documents) {
    acquire(writeLocks(documents));
  }

  static List<Lock> writeLocks(Collection<DocumentName> documents) {
    List<Lock> wanted = new ArrayList<>();
    for (DocumentName document : documents) {
      wanted.add(Lock.writeDocument(document));
      wanted.add(Lock.writeGroup(document.collectionId()));
    }
    if (!wanted.isEmpty()) {
      wanted.add(Lock.writeGroup("")); // for queries over all collections
    }
    return wanted;
  }

  @Override
  String kind() {
    return "pessimistic";
  }

  @Override
  LockTable.Claims claims() {
    return locks.claims(owner);
  }

  @Override
  CommitGate gate() {
    return CommitGate.OPEN;
  }

  @Override
  void release() {
    locks.release(owner);
  }

  private void acquire(List<Lock> wanted) {
    locks.acquire(owner, wanted);
    try {
      requireNotOver();
    } catch (RuntimeException e) {
      // It was ended while it waited; what it got since would never be given back.
      release();
      throw e;
    }
  }
}
