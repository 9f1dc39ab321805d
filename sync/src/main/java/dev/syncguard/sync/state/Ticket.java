package dev.syncguard.sync.state;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.local.LocalStore;

/**
 * What a piece of work knew, when it began, of the state that it is about to change: whose it is, on which forum, after
 * which reset and in which epochs.
 *
 * <p>Time passes between a request and its answer, and other tabs use it. {@link LocalStore#commit} refuses work whose
 * ticket no longer fits what is stored.
 */
public record Ticket(Site site, Owner owner, String resetId, boolean resetPending, Epochs epochs) {

  public static Ticket of(Site site, Owner owner, SyncMeta meta) {
    return new Ticket(site, owner, meta.resetId(), meta.pendingReset() != null, meta.epochs());
  }

  /** Returns whether work under this ticket may change what {@code meta} describes. */
  public boolean fits(Site storesSite, SyncMeta meta) {
    return site == storesSite
        && Decisions.sameReader(owner, meta.owner())
        && Decisions.sameReset(resetId, resetPending, meta)
        && epochs.equals(meta.epochs());
  }
}
