package dev.syncguard.lock.springboot;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Says that a {@link Locked} method did not run, because somebody else has its key. Trying again later may help.
 *
 * <p>A store that fails is told as a {@link LockException} instead.
 */
public final class LockBusyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  // Survives serialization; the key itself need not be serializable.
  private final String name;

  LockBusyException(String message, LockKey key, @Nullable LockException cause) {
    super(message, cause);
    this.name = key.value();
  }

  /** Returns the fingerprint of the key, which may be logged. */
  public LockHash keyHash() {
    return key().hash();
  }

  /** Returns the key itself. */
  public LockKey key() {
    return LockKey.of(name);
  }
}
