package dev.syncguard.cli;

import dev.syncguard.lock.firestore.FirestoreLockBackend;
import dev.syncguard.lock.spi.LockBackend;

/** Locks in a Firestore database, Google's or the one that {@code FIRESTORE_EMULATOR_HOST} names. */
final class FirestoreStore implements Stores.Store {

  @Override
  public String prefix() {
    return "firestore:";
  }

  @Override
  public String example() {
    return "firestore://PROJECT";
  }

  @Override
  public LockBackend open(String address, Stores.Purpose purpose) {
    return FirestoreLockBackend.connect(address);
  }
}
