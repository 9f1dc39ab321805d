package com.example.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Two workers book on one account. The first is paused for longer than its lease lasts, and does no harm. */
public final class Worker {

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "worker"));
    Files.deleteIfExists(directory.resolve("accounts.db"));
    Account account = new Account(directory.resolve("accounts.db"), JdbcFenceGuard.sqlite());

    try (LockBackend backend = SqliteLockBackend.open(directory.resolve("locks.db"));
        Locks locks = Locks.over(backend)) {

      // The everyday case: the lock is released and the fence passed on.
      locks.lock("account:42").run(lease -> book(account, "first worker", lease.fence()));

      // The bad day. A lease of 200 ms, and a pause that is longer: a garbage collection, a suspended laptop.
      Lease paused = locks.lock("account:42").ttl(ofMillis(200)).acquire();
      paused.whenLost().toCompletableFuture().join();
      System.out.println("first worker: was paused, and lost its lease without noticing");

      // Nobody has to wait for a worker that hangs: the key is free again.
      locks.lock("account:42").waitUpTo(ofMinutes(1)).run(lease -> book(account, "second worker", lease.fence()));

      // The first one wakes up in the middle of its work and writes. The guard in the database refuses its fence.
      book(account, "first worker", paused.fence());
    }
    System.out.println("balance: " + account.balance());
  }

  private static void book(Account account, String worker, Fence fence) throws SQLException {
    try {
      account.book(100, fence);
      System.out.println(worker + ": booked 100 with fence " + fence.value());
    } catch (StaleFenceException e) {
      System.out.println(worker + ": refused with fence " + fence.value());
    }
  }
}
