package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server is killed under load, again and again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirestoreCrashIT {

  private static final int ROUNDS = Integer.getInteger("syncguard.crashes", 2);
  private static final int THREADS = 4;
  private static final int KEYS = 3;
  private static final Ttl SHORT = Ttl.ofMillis(500);

  @Test
  void theNextFenceIsAlwaysAboveEveryConfirmedOne(@TempDir Path directory) throws Exception {
    List<AtomicLong> highest = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      highest.add(new AtomicLong());
    }
    AtomicLong grants = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    List<String> complaints = new CopyOnWriteArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (ServerProcess server = ServerProcess.start(directory)) {
      var options = LocalFirestore.options(server.emulatorHost());
      options.setRetrySettings(LocalFirestore.retries(1));
      Firestore firestore = options.build().getService();
      try (FirestoreLockBackend backend = FirestoreLockBackend.over(firestore)) {
        for (int i = 0; i < THREADS; i++) {
          int number = i;
          var unused = threads.submit(() -> {
            for (int turn = number; !done.get(); turn++) {
              int which = turn % KEYS;
              complaints.addAll(useOnce(backend, which, highest.get(which), grants));
            }
          });
        }
        for (int round = 0; round < ROUNDS; round++) {
          long before = grants.get();
          assertThat(OneFirestore.await(() -> grants.get() > before + 30)).isTrue();
          server.kill();
          server.restart();
        }
        long before = grants.get();
        assertThat(OneFirestore.await(() -> grants.get() > before + 30)).isTrue();
        done.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      } finally {
        done.set(true);
        threads.shutdown();
        firestore.shutdownNow();
      }
    }
    assertThat(complaints).isEmpty();
  }

  /** Takes a key for a moment and returns what was wrong with it. */
  private static List<String> useOnce(
      LockBackend backend, int which, AtomicLong highest, AtomicLong grants) {
    LockId id = OneFirestore.newId();
    try {
      long before = highest.get();
      AcquireResult result =
          backend.acquire(LockKey.of("key " + which), id, SHORT, Cancellation.none());
      if (result instanceof AcquireResult.Acquired acquired) {
        long fence = acquired.fence().value();
        highest.accumulateAndGet(fence, Math::max);
        grants.incrementAndGet();
        backend.release(id, Cancellation.none());
        if (fence <= before) {
          return List.of("fence " + fence + " after " + before);
        }
      }
      return List.of();
    } catch (LockException e) {
      return e.isRetryable() ? List.of() : List.of(e.toString());
    }
  }
}
