package dev.syncguard.lock.spi;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;

/** What to look a lock up by. */
public sealed interface LockQuery {

  /** Whoever holds this key. */
  record ByKey(LockKey key) implements LockQuery {}

  /** The lease with this id, if it is live. */
  record ById(LockId id) implements LockQuery {}
}
