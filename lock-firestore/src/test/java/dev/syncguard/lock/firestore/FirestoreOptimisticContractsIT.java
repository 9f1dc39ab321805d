package dev.syncguard.lock.firestore;

import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.testkit.LockFixture;

/** A server that lets transactions read and judges them when they commit; the clock runs. */
class FirestoreOptimisticContractsIT extends FirestoreContracts {

  private final RunningTime time = new RunningTime();

  @Override
  Concurrency concurrency() {
    return Concurrency.OPTIMISTIC;
  }

  @Override
  Time time() {
    return time;
  }

  @Override
  public LockFixture newFixture() {
    return new FirestoreFixture(server, firestore, time, time::advance);
  }
}
