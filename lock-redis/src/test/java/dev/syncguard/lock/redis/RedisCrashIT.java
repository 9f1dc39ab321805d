package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The server is killed under load, again and again. */
class RedisCrashIT extends OneServer {

  private static final int ROUNDS = 20;
  private static final int THREADS = 4;
  private static final int KEYS = 3;
  private static final Ttl SHORT = Ttl.ofMillis(500);

  RedisCrashIT() {
    super("--appendonly", "yes", "--appendfsync", "always");
  }

  @Test
  void theNextFenceIsAlwaysAboveEveryConfirmedOne() throws Exception {
    List<AtomicLong> highest = new ArrayList<>();
    List<AtomicLong> grants = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      highest.add(new AtomicLong());
      grants.add(new AtomicLong());
    }
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<String> complaints = new java.util.concurrent.CopyOnWriteArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        RedisLockBackend mine = open(RedisLockBackend.builder(server.patient()));
        int number = i;
        var unused = threads.submit(() -> {
          for (int turn = number; !done.get(); turn++) {
            int which = turn % KEYS;
            complaints.addAll(useOnce(mine, which, highest.get(which), grants.get(which)));
          }
        });
      }
      for (int round = 0; round < ROUNDS; round++) {
        long before = grants.get(0).get();
        assertThat(RedisProcess.await(() -> grants.get(0).get() > before + 20)).isTrue();
        server.kill();
        server.restart();
      }
    } finally {
      done.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      jedis.close();
      jedis = server.jedis();
    }
    assertThat(complaints).isEmpty();
  }

  /** Takes a key for a moment and returns what was wrong with it. */
  private static List<String> useOnce(
      LockBackend backend, int which, AtomicLong highest, AtomicLong grants) {
    LockKey key = LockKey.of("key " + which);
    LockId id = newId();
    try {
      long before = highest.get();
      if (backend.acquire(key, id, SHORT, NEVER) instanceof AcquireResult.Acquired acquired) {
        long fence = acquired.fence().value();
        highest.accumulateAndGet(fence, Math::max);
        grants.incrementAndGet();
        backend.release(id, NEVER);
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
