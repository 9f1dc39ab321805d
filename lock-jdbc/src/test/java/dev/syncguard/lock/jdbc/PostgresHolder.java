package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.io.IOException;
import java.time.Duration;

/** A process that takes a lock, says so, and when it is told to tells what has become of it. */
final class PostgresHolder {

  private PostgresHolder() {}

  /** Arguments: address of the database, key. */
  public static void main(String[] args) throws IOException {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(args[0]);
        Locks locks = Locks.over(backend)) {
      Lease lease = locks.lock(args[1]).ttl(Duration.ofMillis(1500)).acquire();
      System.out.println("fence " + lease.fence().value());
      int told = System.in.read();
      System.out.println("held " + (lease.isHeld() && told >= 0));
      System.out.println("extended " + lease.extend(Duration.ofMinutes(5)));
      System.out.println("released " + lease.release());
    }
  }
}
