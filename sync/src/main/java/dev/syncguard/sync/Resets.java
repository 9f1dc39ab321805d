package dev.syncguard.sync;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a reset leaves behind on this device. Epochs never go down here, whatever came late. */
final class Resets {

  private Resets() {}

  /**
   * Empties the device after the remote was cleared. The sync meta starts anew, except for what it knows of the remote: a
   * device that forgot its epochs would lose what it marks next, or bring back what a late answer still holds.
   *
   * @param begun the ticket of the reset, to tell it from another one that came in between
   */
  static void finish(LocalStore local, Ticket begun, ResetRun.Cleared cleared, String node) {
    String now = local.now();
    local.commit(local.ticket(begun.owner()), state -> {
      SyncMeta before = state.meta();
      SyncMeta meta = at(before, cleared, now);
      for (SyncedField field : SyncedField.values()) {
        meta = meta.with(field, meta.field(field).clean());
      }
      // What another tab has asked for meanwhile is still due.
      boolean ours = before.resetId().equals(begun.resetId());
      return state.with(meta.withDate(cleared.version(), "")
          .withChangedAuthors(Map.of())
          .withNode(node)
          .with(new SyncMeta.Reset(
              ours ? local.newResetId() : before.resetId(),
              ours ? null : before.pendingReset(),
              SyncMeta.Clearing.EVERYTHING)));
    });
  }

  /** Empties a device that has never been anybody's. */
  static void forget(LocalStore local, Owner owner) {
    local.commit(
        local.ticket(owner),
        state -> state.with(SyncMeta.fresh(local.deviceId())
            .with(new SyncMeta.Reset(local.newResetId(), null, SyncMeta.Clearing.EVERYTHING))));
  }

  /**
   * Empties the device although the remote could not be cleared, and remembers that it must be.
   *
   * @param targets the epochs to reach if the remote was seen, otherwise null: then one beyond our own
   */
  static void postpone(LocalStore local, Owner owner, ResetRun.@Nullable Cleared targets) {
    String now = local.now();
    local.commit(local.ticket(owner), state -> {
      SyncMeta before = state.meta();
      SyncMeta meta = before;
      for (SyncedField field : SyncedField.values()) {
        SyncMeta.Field old = before.field(field);
        int epoch = targets == null
            ? Limits.next(old.clearEpoch())
            : Math.max(targets.epochs().of(field), old.clearEpoch());
        meta = meta.with(field, old.changed(now).at(epoch, now));
      }
      int version = targets == null
          ? Limits.next(before.loadFromVersion())
          : Math.max(targets.version(), before.loadFromVersion());
      SyncMeta.PendingReset pending =
          new SyncMeta.PendingReset(now, meta.epochs(), targets != null);
      return state.with(meta.withDate(version, "")
          .withChangedAuthors(Map.of())
          .with(new SyncMeta.Reset(local.newResetId(), pending, SyncMeta.Clearing.EVERYTHING)));
    });
  }

  /**
   * Takes note that a postponed reset has reached the remote. What was marked since belongs to the new epochs. Too late
   * for the reset that {@code begun} names, it does nothing.
   */
  static void replayed(LocalStore local, Ticket begun, ResetRun.Cleared cleared) {
    String now = local.now();
    local.commit(begun, state -> {
      SyncMeta meta = at(state.meta(), cleared, now);
      return state.with(meta.withDate(Math.max(meta.loadFromVersion(), cleared.version()), "")
          .with(meta.reset().with((SyncMeta.PendingReset) null)));
    });
  }

  /** Takes note that a postponed reset need not be repeated. */
  static void stands(LocalStore local, Ticket begun) {
    local.commit(
        begun,
        state ->
            state.with(state.meta().with(state.meta().reset().with((SyncMeta.PendingReset) null))));
  }

  // Another tab may have seen a later clearing while our answer was on its way.
  private static SyncMeta at(SyncMeta before, ResetRun.Cleared cleared, String now) {
    SyncMeta meta = before;
    for (SyncedField field : SyncedField.values()) {
      SyncMeta.Field known = meta.field(field);
      int epoch = Decisions.furthest(known.clearEpoch(), cleared.epochs().of(field));
      meta = meta.with(field, known.at(epoch, now));
    }
    return meta;
  }
}
