package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a device remembers about its state for the sake of sync, shared by its tabs.
 *
 * @param owner whose state it is
 * @param lastSyncNode the node of that person that last proved to be in use
 * @param fields what is known of each field
 * @param changedAuthors authors whose preference was changed here and not yet pushed, with the count of that change
 * @param reset the last reset on this device
 */
public record SyncMeta(
    String deviceId,
    Owner owner,
    @Nullable String lastSyncNode,
    Fields fields,
    Map<String, Integer> changedAuthors,
    Reset reset) {

  /** Which values of this device are older than its epochs, because a crash came before they were emptied. */
  public enum Clearing {
    NONE,
    READ_MARKS,
    EVERYTHING
  }

  /** The three fields; the date to load from has a history of its own. */
  public record Fields(Field read, Field loadFrom, Field authorPrefs, DateHistory date) {
    static final Fields NEW = new Fields(Field.NEW, Field.NEW, Field.NEW, DateHistory.NEW);

    Field of(SyncedField field) {
      return field == SyncedField.READ
          ? read
          : field == SyncedField.LOAD_FROM ? loadFrom : authorPrefs;
    }

    public Fields with(SyncedField field, Field value) {
      return new Fields(
          field == SyncedField.READ ? value : read,
          field == SyncedField.LOAD_FROM ? value : loadFrom,
          field == SyncedField.AUTHOR_PREFS ? value : authorPrefs,
          date);
    }
  }

  /**
   * One field.
   *
   * @param dirty whether it holds something that the remote may not have
   * @param changes how often it was changed, so that a push can tell whether it carried the last change
   * @param since the epoch that began with the clearing after which its value was made; a reset that has to go further than
   *     it knew raises the epoch and clears nothing
   */
  public record Field(String updatedAt, int clearEpoch, boolean dirty, int changes, int since) {
    static final Field NEW = new Field("", 0, false, 0, 0);

    public Field {
      Limits.requireCounter(clearEpoch);
      Limits.requireCounter(since);
      if (changes < 0) {
        throw new IllegalArgumentException("Changes are counted from 0, but there were " + changes);
      }
    }

    public Field changed(String now) {
      int next = changes == Integer.MAX_VALUE ? 0 : changes + 1;
      return new Field(now, clearEpoch, true, next, since);
    }

    public Field clean() {
      return new Field(updatedAt, clearEpoch, false, changes, since);
    }

    /** Returns this in another epoch, with the value that it has. */
    public Field at(int epoch, String now) {
      return new Field(now, epoch, dirty, changes, since);
    }

    /** Returns this in another epoch, after a clearing. */
    public Field clearedAt(int epoch, String now) {
      return new Field(now, epoch, dirty, changes, epoch);
    }
  }

  /**
   * The date to load from.
   *
   * @param version how often it was changed, as far as this device knows
   * @param synced what the remote last had from us or gave us
   */
  record DateHistory(int version, String synced) {
    static final DateHistory NEW = new DateHistory(0, "");

    DateHistory {
      Limits.requireCounter(version);
    }
  }

  /**
   * The last reset that was asked for here.
   *
   * @param id tells one reset from another; empty when there was none
   * @param pending what has yet to reach the remote, or null
   * @param clearing what must still be emptied here before anything else is done with it
   */
  public record Reset(String id, @Nullable PendingReset pending, Clearing clearing) {
    static final Reset NEVER = new Reset("", null, Clearing.NONE);

    public Reset with(@Nullable PendingReset next) {
      return new Reset(id, next, clearing);
    }

    public Reset with(Clearing due) {
      return new Reset(id, pending, due);
    }
  }

  /**
   * A reset that is done here and due at the remote.
   *
   * @param sawRemote whether the targets were chosen with the remote in view
   */
  public record PendingReset(String at, Epochs targets, boolean sawRemote) {

    public int target(SyncedField field) {
      return targets.of(field);
    }
  }

  public static SyncMeta fresh(String deviceId) {
    return new SyncMeta(deviceId, Owner.NOBODY, null, Fields.NEW, Map.of(), Reset.NEVER);
  }

  public Field field(SyncedField field) {
    return fields.of(field);
  }

  public boolean dirty() {
    return fields.read.dirty() || fields.loadFrom.dirty() || fields.authorPrefs.dirty();
  }

  /**
   * Returns after which clearing the value of a field was made, in words that only such values bear: whose state it is part
   * of, since which reset and which epoch. Empty before the first clearing.
   */
  public String since(SyncedField field) {
    int epoch = field(field).since();
    boolean first = epoch == 0 && owner.handovers() == 0 && reset.id().isEmpty();
    return first ? "" : owner.handovers() + "." + epoch + "." + reset.id();
  }

  public Epochs epochs() {
    return new Epochs(
        fields.read.clearEpoch(), fields.loadFrom.clearEpoch(), fields.authorPrefs.clearEpoch());
  }

  public int loadFromVersion() {
    return fields.date.version();
  }

  public String syncedLoadFrom() {
    return fields.date.synced();
  }

  @Nullable
  public String lastUserId() {
    return owner.userId();
  }

  public String resetId() {
    return reset.id();
  }

  @Nullable
  public PendingReset pendingReset() {
    return reset.pending();
  }

  public Clearing clearing() {
    return reset.clearing();
  }

  public SyncMeta with(SyncedField field, Field value) {
    return with(fields.with(field, value));
  }

  public SyncMeta with(Fields next) {
    return new SyncMeta(deviceId, owner, lastSyncNode, next, changedAuthors, reset);
  }

  public SyncMeta with(Owner next) {
    return new SyncMeta(deviceId, next, lastSyncNode, fields, changedAuthors, reset);
  }

  public SyncMeta with(Reset next) {
    return new SyncMeta(deviceId, owner, lastSyncNode, fields, changedAuthors, next);
  }

  public SyncMeta withDate(int version, String synced) {
    return with(new Fields(
        fields.read, fields.loadFrom, fields.authorPrefs, new DateHistory(version, synced)));
  }

  public SyncMeta withChangedAuthors(Map<String, Integer> changed) {
    return new SyncMeta(deviceId, owner, lastSyncNode, fields, changed, reset);
  }

  public SyncMeta on(String device) {
    return device.equals(deviceId)
        ? this
        : new SyncMeta(device, owner, lastSyncNode, fields, changedAuthors, reset);
  }

  public SyncMeta withNode(@Nullable String node) {
    return new SyncMeta(deviceId, owner, node, fields, changedAuthors, reset);
  }

  @Override
  public String toString() {
    return "SyncMeta";
  }
}
