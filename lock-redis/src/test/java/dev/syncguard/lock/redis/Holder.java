package dev.syncguard.lock.redis;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that takes a lock for so many milliseconds, says so, and when it is asked tells what has become of it. */
final class Holder {

  private Holder() {}

  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (RedisLockBackend backend = RedisLockBackend.connect(args[0]);
        Locks locks = Locks.over(backend)) {
      Lease lease = locks
          .lock(args[1])
          .ttl(Duration.ofMillis(Long.parseLong(args[2])))
          .waitUpTo(Duration.ofMinutes(
              1)) // What waiting cannot mend is told at once, but a busy machine may be slow to
          // tell.
          .acquire();
      System.out.println("fence " + lease.fence().value());
      in.readLine();
      System.out.println("held " + lease.isHeld());
      System.out.println("extended " + lease.extend(Duration.ofMinutes(5)));
      System.out.println("released " + lease.release());
    }
  }
}
