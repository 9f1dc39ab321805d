package dev.syncguard.benchmarks.firestorelocks;

import dev.syncguard.benchmarks.SyncGuardContender;

/** SyncGuard on Firestore, as one process among several that only ask again and again. */
public final class FirestorePollingContender extends FirestoreContender {

  public FirestorePollingContender(String emulatorHost) {
    super(emulatorHost, SyncGuardContender::polling);
  }
}
