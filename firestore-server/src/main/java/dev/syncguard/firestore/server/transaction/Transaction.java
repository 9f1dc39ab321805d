package dev.syncguard.firestore.server.transaction;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/** How one transaction keeps its reads true until it commits. Thread-safe. */
abstract sealed class Transaction
    permits LockingTransaction, OptimisticTransaction, ReadOnlyTransaction {
  private final long startedNanos;
  private volatile long usedNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

  /** A transaction goes through these once, in this order, or is ended before it commits. */
  private enum State {
    OPEN,
    COMMITTING,
    DONE
  }

  Transaction(long nowNanos) {
    this.startedNanos = nowNanos;
    this.usedNanos = nowNanos;
  }

  /** Returns the time at which it reads, or nothing if it reads the present. */
  abstract OptionalLong readTime();

  /** Says that these documents are about to be read. */
  abstract void willRead(Collection<DocumentName> documents);

  /** Says that the collections of this id are about to be queried. */
  abstract void willQuery(String collectionId);

  /** Refuses writes that this kind of transaction cannot make. */
  abstract void willWrite(List<DocumentName> documents);

  /** Returns what must still hold at the moment of the commit. */
  abstract CommitGate gate();

  /** Gives back whatever it holds. */
  abstract void release();

  /** Returns which kind it is, in a word. */
  abstract String kind();

  /** Returns what it holds still and what it waits for, if anything. */
  LockTable.Claims claims() {
    return LockTable.Claims.NONE;
  }

  final OpenTransaction describe(long number, long nowNanos) {
    LockTable.Claims claims = claims();
    return new OpenTransaction(
        number,
        kind(),
        Duration.ofNanos(nowNanos - startedNanos),
        Duration.ofNanos(nowNanos - usedNanos),
        claims.held(),
        claims.waiting());
  }

  final void use(long nowNanos) {
    usedNanos = nowNanos;
  }

  final boolean isExpired(long nowNanos, long idleNanos, long totalNanos) {
    return nowNanos - usedNanos > idleNanos || nowNanos - startedNanos > totalNanos;
  }

  /** Makes the caller the only one who commits this transaction. */
  final void startCommit() {
    if (!state.compareAndSet(State.OPEN, State.COMMITTING)) {
      throw over();
    }
  }

  /** Must be called in the commit gate: from here on the writes count, and nobody can end the transaction instead. */
  final void decideCommit() {
    if (!state.compareAndSet(State.COMMITTING, State.DONE)) {
      throw over();
    }
  }

  final void end() {
    state.set(State.DONE);
    release();
  }

  final void requireNotOver() {
    if (state.get() == State.DONE) {
      throw over();
    }
  }

  static FirestoreServerException over() {
    return FirestoreServerException.aborted(
        "The referenced transaction has expired or is no longer valid.");
  }
}
