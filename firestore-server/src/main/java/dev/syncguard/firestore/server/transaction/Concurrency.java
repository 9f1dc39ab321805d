package dev.syncguard.firestore.server.transaction;

/** How read-write transactions keep out of each other's way unless a request says otherwise. */
public enum Concurrency {
  /** What is read is locked; writers wait. As in Firestore's standard edition. */
  PESSIMISTIC,
  /** Nobody waits; a commit fails if what was read has changed. */
  OPTIMISTIC
}
