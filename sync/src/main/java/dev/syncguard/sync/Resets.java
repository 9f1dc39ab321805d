package dev.syncguard.sync;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a reset leaves behind on this device. */
final class Resets {

  private Resets() {}

  /**
   * Empties the device after the remote was cleared. The sync meta starts anew, except for what it knows of the remote: a
   * device that forgot its epochs would lose what it marks next, or bring back what a late answer still holds.
   */
  static void finish(
      LocalStore local, ResetRun.Epochs epochs, @Nullable String userId, String node) {
    local.clearReaderKeys();
    String now = local.now();
    SyncMeta meta = SyncMeta.fresh(local.deviceId()).withLoadFromVersion(epochs.version(), "");
    for (SyncedField field : SyncedField.values()) {
      meta = meta.with(
          field,
          new SyncMeta.Field(now, furthest(local, field, epochs), false, countsOn(local, field)));
    }
    meta = userId == null ? meta : meta.withUser(userId);
    local.setMeta(meta.withNode(node));
  }

  /** Empties a device that has never been anybody's. */
  static void forget(LocalStore local) {
    local.clearReaderKeys();
    local.setMeta(SyncMeta.fresh(local.deviceId()));
  }

  /**
   * Empties the device although the remote could not be cleared, and remembers that it must be.
   *
   * @param targets the epochs to reach if the remote was seen, otherwise null: then one beyond our own
   */
  static void postpone(LocalStore local, ResetRun.@Nullable Epochs targets) {
    String now = local.now();
    SyncMeta before = local.meta();
    SyncMeta meta = before;
    for (SyncedField field : SyncedField.values()) {
      SyncMeta.Field old = before.field(field);
      int epoch = targets == null
          ? Limits.next(old.clearEpoch())
          : Math.max(targets.of(field), old.clearEpoch());
      meta = meta.with(field, old.changed(now).at(epoch, now));
    }
    int version = targets == null ? Limits.next(before.loadFromVersion()) : targets.version();
    SyncMeta.PendingReset pending = new SyncMeta.PendingReset(
        now,
        meta.read().clearEpoch(),
        meta.loadFrom().clearEpoch(),
        meta.authorPrefs().clearEpoch(),
        targets != null);
    // The meta first: after a crash in between, the clearing is finished at the next start.
    local.setMeta(meta.withLoadFromVersion(version, "")
        .withChangedAuthors(Map.of())
        .withPendingReset(pending)
        .withClearing(SyncMeta.Clearing.EVERYTHING));
    local.finishClearing();
  }

  /** Takes note that a postponed reset has reached the remote. What was marked since belongs to the new epochs. */
  static void replayed(LocalStore local, ResetRun.Epochs epochs) {
    String now = local.now();
    local.updateMeta(before -> {
      SyncMeta meta = before.withPendingReset(null);
      for (SyncedField field : SyncedField.values()) {
        meta = meta.with(field, meta.field(field).at(epochs.of(field), now));
      }
      return meta.withLoadFromVersion(Math.max(meta.loadFromVersion(), epochs.version()), "");
    });
  }

  // Another tab may have seen a later clearing while our answer was on its way.
  private static int furthest(LocalStore local, SyncedField field, ResetRun.Epochs epochs) {
    return Math.max(epochs.of(field), local.meta().field(field).clearEpoch());
  }

  private static int countsOn(LocalStore local, SyncedField field) {
    return local.meta().field(field).changes();
  }
}
