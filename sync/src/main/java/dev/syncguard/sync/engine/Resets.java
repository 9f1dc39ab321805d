package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.state.Decisions;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.Ticket;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a reset leaves behind on this device. Epochs never go down here, whatever came late. */
public final class Resets {

  private Resets() {}

  /** Empties a device that has never been anybody's. */
  static void forget(LocalStore local, Owner owner) {
    local.commit(
        local.ticket(owner),
        state -> state.with(SyncMeta.fresh(local.deviceId())
            .with(new SyncMeta.Reset(local.newResetId(), null, SyncMeta.Clearing.EVERYTHING))));
  }

  /**
   * Empties the device and remembers that the remote must be cleared. The sync meta keeps what it knows of the remote: a
   * device that forgot its epochs would lose what it marks next, or bring back what a late answer still holds.
   *
   * @param targets the epochs to reach if the remote was seen, otherwise null: then one beyond our own
   * @return whether the state was still that of {@code owner}, to be emptied
   */
  public static boolean empty(LocalStore local, Owner owner, ResetRun.@Nullable Cleared targets) {
    String now = local.now();
    return local.commit(local.ticket(owner), state -> {
      SyncMeta before = state.meta();
      SyncMeta meta = before;
      for (SyncedField field : SyncedField.values()) {
        SyncMeta.Field old = before.field(field);
        int epoch = targets == null
            ? Limits.next(old.clearEpoch())
            : Math.max(targets.epochs().of(field), old.clearEpoch());
        meta = meta.with(field, old.changed(now).clearedAt(epoch, now));
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
   * Sets higher targets, because somebody has got as far as the old ones meanwhile. What was marked since the device was
   * emptied goes along.
   *
   * @return false if the reset of {@code begun} is no longer due
   */
  static boolean retarget(LocalStore local, Ticket begun, ResetRun.Cleared targets) {
    String now = local.now();
    return local.commit(begun, state -> {
      SyncMeta meta = at(state.meta(), targets, now);
      SyncMeta.PendingReset pending = new SyncMeta.PendingReset(now, meta.epochs(), true);
      return state.with(meta.withDate(Math.max(meta.loadFromVersion(), targets.version()), "")
          .with(meta.reset().with(pending)));
    });
  }

  /**
   * Takes note that a reset has reached the remote. What was marked since the device was emptied belongs to the new
   * epochs. Too late for the reset that {@code begun} names, it does nothing.
   *
   * @param emptied the device as the reset left it, or null: then nobody knows whether anything was marked since
   */
  public static void written(
      LocalStore local, Ticket begun, ResetRun.Cleared cleared, @Nullable SyncMeta emptied) {
    String now = local.now();
    local.commit(begun, state -> {
      SyncMeta meta = at(state.meta(), cleared, now);
      for (SyncedField field : SyncedField.values()) {
        if (emptied != null
            && Decisions.confirms(
                emptied.field(field).changes(), meta.field(field).changes())) {
          meta = meta.with(field, meta.field(field).clean());
        }
      }
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
