package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.ShedLockKeys;
import net.javacrumbs.shedlock.support.StorageBasedLockProvider;

/**
 * ShedLock on Firestore: without a fence and without waiting.
 *
 * <p>Its provider for Firestore is not published as a jar that a build could use, so its published core runs
 * here over documents of ours that ask the same of Firestore.
 */
final class ShedLock extends ShedLockKeys {

  private final Firestore firestore;

  ShedLock(Firestore firestore) {
    super(new Provider(new ShedLockDocuments(firestore)));
    this.firestore = firestore;
  }

  @Override
  public void close() {
    firestore.shutdownNow();
  }

  private static final class Provider extends StorageBasedLockProvider {

    Provider(ShedLockDocuments documents) {
      super(documents);
    }
  }
}
