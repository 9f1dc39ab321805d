package dev.syncguard.sync;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a device remembers about its state for the sake of sync, shared by its tabs.
 *
 * @param loadFromVersion how often the date to load from was changed, as far as this device knows
 * @param syncedLoadFrom the date to load from that the remote last had from us or gave us
 * @param changedAuthors authors whose preference was changed here and not yet pushed, with the count of that change
 * @param lastSyncNode the node that last proved to be in use
 * @param lastUserId whose state this is
 * @param pendingReset a reset that has not reached the remote
 * @param clearing what must still be emptied here before anything else is done with it
 */
record SyncMeta(
    String deviceId,
    Field read,
    Field loadFrom,
    Field authorPrefs,
    int loadFromVersion,
    String syncedLoadFrom,
    Map<String, Integer> changedAuthors,
    @Nullable String lastSyncNode,
    @Nullable String lastUserId,
    @Nullable PendingReset pendingReset,
    Clearing clearing) {

  /** Which values of this device are older than its epochs, because a crash came before they were emptied. */
  enum Clearing {
    NONE,
    READ_MARKS,
    EVERYTHING
  }

  /**
   * One field.
   *
   * @param dirty whether it holds something that the remote may not have
   * @param changes how often it was changed, so that a push can tell whether it carried the last change
   */
  record Field(String updatedAt, int clearEpoch, boolean dirty, int changes) {
    static final Field NEW = new Field("", 0, false, 0);

    Field changed(String now) {
      return new Field(now, clearEpoch, true, changes == Integer.MAX_VALUE ? 0 : changes + 1);
    }

    Field clean() {
      return new Field(updatedAt, clearEpoch, false, changes);
    }

    Field at(int epoch, String now) {
      return new Field(now, epoch, dirty, changes);
    }
  }

  /**
   * A reset that is done here and due at the remote.
   *
   * @param sawRemote whether the targets were chosen with the remote in view
   */
  record PendingReset(String at, int read, int loadFrom, int authorPrefs, boolean sawRemote) {

    int target(SyncedField field) {
      return switch (field) {
        case READ -> read;
        case LOAD_FROM -> loadFrom;
        case AUTHOR_PREFS -> authorPrefs;
      };
    }
  }

  static SyncMeta fresh(String deviceId) {
    return new SyncMeta(
        deviceId,
        Field.NEW,
        Field.NEW,
        Field.NEW,
        0,
        "",
        Map.of(),
        null,
        null,
        null,
        Clearing.NONE);
  }

  Field field(SyncedField field) {
    return switch (field) {
      case READ -> read;
      case LOAD_FROM -> loadFrom;
      case AUTHOR_PREFS -> authorPrefs;
    };
  }

  boolean dirty() {
    return read.dirty() || loadFrom.dirty() || authorPrefs.dirty();
  }

  SyncMeta with(SyncedField field, Field value) {
    return new SyncMeta(
        deviceId,
        field == SyncedField.READ ? value : read,
        field == SyncedField.LOAD_FROM ? value : loadFrom,
        field == SyncedField.AUTHOR_PREFS ? value : authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changedAuthors,
        lastSyncNode,
        lastUserId,
        pendingReset,
        clearing);
  }

  SyncMeta withLoadFromVersion(int version, String synced) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        version,
        synced,
        changedAuthors,
        lastSyncNode,
        lastUserId,
        pendingReset,
        clearing);
  }

  SyncMeta withChangedAuthors(Map<String, Integer> changed) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changed,
        lastSyncNode,
        lastUserId,
        pendingReset,
        clearing);
  }

  SyncMeta withNode(String node) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changedAuthors,
        node,
        lastUserId,
        pendingReset,
        clearing);
  }

  SyncMeta withUser(String userId) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changedAuthors,
        lastSyncNode,
        userId,
        pendingReset,
        clearing);
  }

  SyncMeta withPendingReset(@Nullable PendingReset pending) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changedAuthors,
        lastSyncNode,
        lastUserId,
        pending,
        clearing);
  }

  SyncMeta withClearing(Clearing due) {
    return new SyncMeta(
        deviceId,
        read,
        loadFrom,
        authorPrefs,
        loadFromVersion,
        syncedLoadFrom,
        changedAuthors,
        lastSyncNode,
        lastUserId,
        pendingReset,
        due);
  }

  /** Returns what this device has to say in a merge, given the values it stores. */
  LocalState local(Set<String> readValue, String loadFromValue, Map<String, Integer> prefs) {
    return new LocalState(
        readValue,
        read.clearEpoch(),
        loadFromValue,
        loadFromVersion,
        loadFrom.clearEpoch(),
        prefs,
        authorPrefs.clearEpoch(),
        changedAuthors.keySet());
  }

  @Override
  public String toString() {
    return "SyncMeta";
  }
}
