package dev.syncguard.cli;

import dev.syncguard.lock.jdbc.PostgresLockBackend;
import dev.syncguard.lock.spi.LockBackend;

/** Locks in a PostgreSQL database. Tables and functions are created if they are missing and the role may do so, unless somebody only looks. */
final class PostgresStore implements Stores.Store {

  @Override
  public String prefix() {
    return "postgres";
  }

  @Override
  public String example() {
    return "postgresql://HOST:PORT/DATABASE";
  }

  @Override
  public LockBackend open(String address, Stores.Purpose purpose) {
    PostgresLockBackend backend = PostgresLockBackend.connect(address);
    try {
      if (purpose == Stores.Purpose.WRITE) {
        backend.setupSchema();
      }
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }
}
