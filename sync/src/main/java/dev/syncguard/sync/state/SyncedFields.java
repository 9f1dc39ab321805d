package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;
import java.util.Map;
import java.util.Set;

/**
 * The three fields that travel. Epochs and versions only grow and decide alone what survives a merge; the times are for
 * people and for the order in which old preferences are dropped.
 */
public record SyncedFields(Read read, LoadFrom loadFrom, AuthorPrefs authorPrefs) {

  /** What was read since the clearing that {@code clearEpoch} counts. */
  public record Read(String updatedAt, String updatedBy, int clearEpoch, Set<String> value) {}

  /**
   * From when on to load.
   *
   * @param version how often it was changed
   * @param value a moment, {@link Limits#LOAD_RECENT}, or empty when none is chosen; then it is absent on the wire
   */
  public record LoadFrom(
      String updatedAt, String updatedBy, int version, int clearEpoch, String value) {}

  /** Whom the reader prefers or avoids. */
  public record AuthorPrefs(
      String updatedAt, String updatedBy, int clearEpoch, Map<String, AuthorPref> value) {}

  /**
   * What was last said about one author.
   *
   * @param v 1 preferred, -1 avoided, 0 neither any more
   */
  public record AuthorPref(int v, int version, String updatedAt, String updatedBy) {}

  /** Returns the fields of a user who has never read anything. */
  public static SyncedFields none(String updatedAt, String updatedBy) {
    return new SyncedFields(
        new Read(updatedAt, updatedBy, 0, Set.of()),
        new LoadFrom(updatedAt, updatedBy, 0, 0, ""),
        new AuthorPrefs(updatedAt, updatedBy, 0, Map.of()));
  }

  /** Returns the epoch of one field. */
  public int clearEpoch(SyncedField field) {
    return switch (field) {
      case READ -> read.clearEpoch();
      case LOAD_FROM -> loadFrom.clearEpoch();
      case AUTHOR_PREFS -> authorPrefs.clearEpoch();
    };
  }

  public Epochs epochs() {
    return new Epochs(read.clearEpoch(), loadFrom.clearEpoch(), authorPrefs.clearEpoch());
  }

  /** Returns whether one field says the same here and there, whoever wrote it and when. */
  public boolean sameContent(SyncedField field, SyncedFields other) {
    return clearEpoch(field) == other.clearEpoch(field)
        && switch (field) {
          case READ -> read.value().equals(other.read.value());
          case LOAD_FROM ->
            loadFrom.version() == other.loadFrom.version()
                && loadFrom.value().equals(other.loadFrom.value());
          case AUTHOR_PREFS -> authorPrefs.value().equals(other.authorPrefs.value());
        };
  }

  /** Returns whether all three fields say the same here and there. */
  public boolean sameContent(SyncedFields other) {
    return sameContent(SyncedField.LOAD_FROM, other)
        && sameContent(SyncedField.AUTHOR_PREFS, other)
        && sameContent(SyncedField.READ, other);
  }
}
