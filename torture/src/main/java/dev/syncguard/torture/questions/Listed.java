package dev.syncguard.torture.questions;

import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.spi.LockListing;
import java.util.List;
import java.util.Optional;

/** A look at the list of live locks, for one of them. */
final class Listed {

  private static final int MOST = 1_000;

  private Listed() {}

  /** Returns the lease as the list shows it. If the store has no list, or a longer one than is read, there is nothing to ask. */
  static Optional<LockInfoDebug> find(Subject store, Held lease) {
    LockListing listing = store
        .backend()
        .listing()
        .orElseThrow(() -> NotDecided.notOffered("the store does not list its locks"));
    List<LockInfoDebug> all = listing.liveRaw(MOST, Subject.NEVER);
    Optional<LockInfoDebug> found =
        all.stream().filter(lock -> lock.lockId().equals(lease.id())).findFirst();
    if (found.isEmpty() && all.size() == MOST) {
      throw NotDecided.notOffered("the store has too many locks to list them all");
    }
    return found;
  }
}
