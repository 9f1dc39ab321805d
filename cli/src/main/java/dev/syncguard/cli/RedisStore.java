package dev.syncguard.cli;

import dev.syncguard.lock.redis.RedisLockBackend;
import dev.syncguard.lock.spi.LockBackend;

/** Locks on a Redis server, Sentinel or Cluster. */
final class RedisStore implements Stores.Store {

  private static final String KEY_PREFIX = "?prefix=";

  @Override
  public String prefix() {
    return "redis";
  }

  @Override
  public String example() {
    return "redis://HOST:PORT";
  }

  @Override
  public LockBackend open(String address, Stores.Purpose purpose) {
    int at = address.indexOf(KEY_PREFIX);
    return at < 0
        ? RedisLockBackend.connect(address)
        : RedisLockBackend.builder(address.substring(0, at))
            .keyPrefix(address.substring(at + KEY_PREFIX.length()))
            .build();
  }
}
