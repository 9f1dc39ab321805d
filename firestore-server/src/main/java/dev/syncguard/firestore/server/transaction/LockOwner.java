package dev.syncguard.firestore.server.transaction;

/** Whoever holds locks or waits for them: a transaction, or a write without one. Told apart by identity. */
final class LockOwner {
  /** The lower, the older; of two that block each other the younger gives way. */
  final long priority;

  LockOwner(long priority) {
    this.priority = priority;
  }
}
