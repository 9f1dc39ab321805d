package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.KeyedLock;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.StorageBasedLockProvider;

/**
 * ShedLock on Firestore: without a fence and without waiting.
 *
 * <p>Its provider for Firestore is not published as a jar that a build could use, so its published core runs
 * here over documents of ours that ask the same of Firestore.
 */
final class ShedLock implements KeyedLock {

  private final Firestore firestore;
  private final Provider provider;

  ShedLock(String emulatorHost) {
    firestore = Clients.connect(emulatorHost);
    provider = new Provider(new ShedLockDocuments(firestore));
  }

  @Override
  public void underLock(String key, Runnable work) {
    SimpleLock lock = provider
        .lock(new LockConfiguration(Instant.now(), key, Duration.ofSeconds(30), Duration.ZERO))
        .orElseThrow();
    work.run();
    lock.unlock();
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
