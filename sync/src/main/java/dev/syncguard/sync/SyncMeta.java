package dev.syncguard.sync;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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

  SyncMeta {
    requireCounter(loadFromVersion);
  }

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

    Field {
      requireCounter(clearEpoch);
      if (changes < 0) {
        throw new IllegalArgumentException("Changes are counted from 0, but there were " + changes);
      }
    }

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

    PendingReset {
      requireCounter(read);
      requireCounter(loadFrom);
      requireCounter(authorPrefs);
    }

    int target(SyncedField field) {
      return switch (field) {
        case READ -> read;
        case LOAD_FROM -> loadFrom;
        case AUTHOR_PREFS -> authorPrefs;
      };
    }
  }

  private static void requireCounter(int value) {
    if (!Limits.isCounter(value)) {
      throw new IllegalArgumentException("Epochs and versions go from 0 to "
          + Limits.HIGHEST_COUNTER + ", but this one is " + value);
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
    return copy(draft -> {
      switch (field) {
        case READ -> draft.read = value;
        case LOAD_FROM -> draft.loadFrom = value;
        case AUTHOR_PREFS -> draft.authorPrefs = value;
      }
    });
  }

  SyncMeta withLoadFromVersion(int version, String synced) {
    return copy(draft -> {
      draft.loadFromVersion = version;
      draft.syncedLoadFrom = synced;
    });
  }

  SyncMeta withChangedAuthors(Map<String, Integer> changed) {
    return copy(draft -> draft.changedAuthors = changed);
  }

  SyncMeta withNode(String node) {
    return copy(draft -> draft.lastSyncNode = node);
  }

  SyncMeta withUser(String userId) {
    return copy(draft -> draft.lastUserId = userId);
  }

  SyncMeta withPendingReset(@Nullable PendingReset pending) {
    return copy(draft -> draft.pendingReset = pending);
  }

  SyncMeta withClearing(Clearing due) {
    return copy(draft -> draft.clearing = due);
  }

  private SyncMeta copy(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.meta();
  }

  /** A meta on its way to become another, so that only one place lines up eleven components, many of one type. */
  private static final class Draft {
    final String deviceId;
    Field read;
    Field loadFrom;
    Field authorPrefs;
    int loadFromVersion;
    String syncedLoadFrom;
    Map<String, Integer> changedAuthors;

    @Nullable
    String lastSyncNode;

    @Nullable
    String lastUserId;

    @Nullable
    PendingReset pendingReset;

    Clearing clearing;

    Draft(SyncMeta meta) {
      deviceId = meta.deviceId;
      read = meta.read;
      loadFrom = meta.loadFrom;
      authorPrefs = meta.authorPrefs;
      loadFromVersion = meta.loadFromVersion;
      syncedLoadFrom = meta.syncedLoadFrom;
      changedAuthors = meta.changedAuthors;
      lastSyncNode = meta.lastSyncNode;
      lastUserId = meta.lastUserId;
      pendingReset = meta.pendingReset;
      clearing = meta.clearing;
    }

    SyncMeta meta() {
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
          clearing);
    }
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
