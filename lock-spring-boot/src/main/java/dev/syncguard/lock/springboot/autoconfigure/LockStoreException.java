package dev.syncguard.lock.springboot.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Says that there is no store for the locks, or no single one, and what to do about it. */
public final class LockStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  LockStoreException(String description, String action) {
    this(description, action, null);
  }

  LockStoreException(String description, String action, @Nullable Throwable cause) {
    super(description + " " + action, cause);
    this.description = description;
    this.action = action;
  }

  /** Returns what is wrong. */
  public String description() {
    return description;
  }

  /** Returns what to do. */
  public String action() {
    return action;
  }
}
