package dev.syncguard.lock.springboot.integration;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.springboot.LeaseLock;
import dev.syncguard.lock.springboot.LeaseLocks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;

/**
 * A lock registry for Spring Integration, 6.5 and 7, whose locks are leases: reentrant for their thread, renewed while it
 * holds them, and free for others when its process has died. On version 7 they are {@code DistributedLock}s. Thread-safe.
 */
// Without type parameters, which version 6 does not have.
@SuppressWarnings({"rawtypes", "unchecked"})
public final class SyncGuardLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {

  private static final boolean VERSION_7 = ClassUtils.isPresent(
      "org.springframework.integration.support.locks.DistributedLock",
      SyncGuardLockRegistry.class.getClassLoader());

  private final LeaseLocks locks;
  private final String keyPrefix;

  /** Creates a registry. All that share the locks share the prefix of their keys. */
  public SyncGuardLockRegistry(LeaseLocks locks, String keyPrefix) {
    this.locks = locks;
    this.keyPrefix = keyPrefix;
  }

  @Override
  public Lock obtain(Object lockKey) {
    LeaseLock lock = locks.get(keyOf(lockKey));
    return VERSION_7 ? new DistributedLeaseLock(lock) : lock;
  }

  @Override
  public void renewLock(Object lockKey) {
    renewLock(lockKey, locks.ttl());
  }

  @Override
  public void renewLock(Object lockKey, Duration ttl) {
    locks.get(keyOf(lockKey)).renew(ttl);
  }

  @Override
  public void expireUnusedOlderThan(long ageMillis) {
    locks.expireUnusedOlderThan(Duration.ofMillis(ageMillis));
  }

  /** Returns a key for whatever others lock by, such as a long path. */
  private String keyOf(Object lockKey) {
    String text = keyPrefix + lockKey;
    try {
      return LockKey.of(text).value();
    } catch (LockException e) {
      return keyPrefix + "sha256:" + sha256(lockKey.toString());
    }
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }
}
