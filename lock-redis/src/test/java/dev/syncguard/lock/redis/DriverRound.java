package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.UnifiedJedis;

/** A process that uses everything of the backend once, on whatever version of the driver its class path has. */
final class DriverRound {

  private DriverRound() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("client")) {
      // The class of the client has changed its name, so it is not known when this is compiled.
      try (UnifiedJedis client = Class.forName(args[1])
              .asSubclass(UnifiedJedis.class)
              .getConstructor(String.class, int.class)
              .newInstance("127.0.0.1", Integer.parseInt(args[2]));
          RedisLockBackend one = RedisLockBackend.over(client);
          RedisLockBackend other = RedisLockBackend.over(client)) {
        round(one, other);
      }
      return;
    }
    RedisLockBackend.Builder careful = RedisLockBackend.builder(args[0]).keyPrefix("{syncguard}");
    if (Integer.parseInt(args[1]) > 0) {
      careful.minReplicasAcked(Integer.parseInt(args[1]), Duration.ofSeconds(30));
    }
    try (RedisLockBackend one = careful.build();
        RedisLockBackend other = careful.build()) {
      round(one, other);
    }
  }

  private static void round(RedisLockBackend one, RedisLockBackend other) throws Exception {
    try (Locks locks = Locks.over(one);
        Locks others = Locks.over(other)) {
      Lease held = locks
          .lock("report")
          .ttl(Duration.ofMinutes(5))
          .waitUpTo(Duration.ofMinutes(1))
          .acquire();
      CompletableFuture<Lease> waiting =
          others.lock("report").waitUpTo(Duration.ofMinutes(1)).acquireAsync();
      check(one.isLocked(LockKey.of("report"), Cancellation.none()), "locked");
      Optional<Lease> refused = others.lock("report").tryAcquire();
      check(refused.isEmpty(), "refused");
      check(held.extend(Duration.ofMinutes(5)), "extended");
      check(one.listing().orElseThrow().live(10, Cancellation.none()).size() == 1, "listed");
      check(!one.storeCheck().orElseThrow().examine(Cancellation.none()).isEmpty(), "examined");
      check(held.release(), "released");
      Lease next = waiting.get(1, TimeUnit.MINUTES);
      check(next.fence().compareTo(held.fence()) > 0, "rises");
      check(next.release(), "released again");
    }
    System.out.println("everything works");
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("Not " + what);
    }
  }
}
