package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Who was refused lately without standing in line, and so is one who polls when it asks again.
 *
 * <p>Remembers only some: whoever is forgotten is merely taken for somebody new once. Thread-safe.
 */
final class PostgresPollers {

  private static final int MOST = 1_000;

  private final Set<LockId> refused = new LinkedHashSet<>();

  synchronized boolean contain(LockId id) {
    return refused.contains(id);
  }

  synchronized void note(LockId id, AcquireResult result) {
    if (result instanceof AcquireResult.Acquired) {
      refused.remove(id);
    } else if (refused.add(id) && refused.size() > MOST) {
      refused.remove(refused.iterator().next());
    }
  }
}
