package dev.syncguard.benchmarks.firestorelocks;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.KeyedLock;
import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.util.function.Function;

/** SyncGuard on Firestore, as one process among several. */
public class FirestoreContender implements KeyedLock {

  /** Each time is four calls, and a contest is long enough to warm up the rest. */
  private static final int FEWER_WARM_UPS = 200;

  private final Firestore firestore;
  private final SyncGuardContender contender;

  public FirestoreContender(String emulatorHost) {
    this(emulatorHost, SyncGuardContender::over);
  }

  FirestoreContender(String emulatorHost, Function<LockBackend, SyncGuardContender> waiting) {
    firestore = Clients.connect(emulatorHost);
    contender = waiting.apply(FirestoreLockBackend.over(firestore));
  }

  @Override
  public void underLock(String key, Runnable work) {
    contender.underLock(key, work);
  }

  @Override
  public void warmUp() {
    String key = "warm-up-" + ProcessHandle.current().pid();
    for (int i = 0; i < FEWER_WARM_UPS; i++) {
      underLock(key, () -> {});
    }
  }

  @Override
  public void close() {
    contender.close();
    firestore.shutdownNow();
  }
}
