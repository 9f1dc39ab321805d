package dev.syncguard.sync.state;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.SyncedFields.AuthorPref;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings this device and the remote together.
 *
 * <p>For each field, a side that has not seen the last clearing contributes nothing; what is left is united. Epochs and
 * versions decide, never a clock. A field that ends up saying what the remote says is returned as the remote has it, so
 * that nothing is written for nothing. A pure function: it reads no store and no clock.
 */
public final class Merge {

  /**
   * When, and by whom, something was said that we know only from an earlier merge. If the remote lacks it now, it may have
   * been dropped there for lack of space; if it counted as new, or as older only in our eyes, it would push out something
   * else, which another device would bring back, and so on for ever.
   */
  public static final String LONG_AGO = "1970-01-01T00:00:00Z";

  private static final String SOMEBODY = "unknown";

  private final LocalState local;
  private final SyncedFields remote;
  private final String writerId;
  private final String now;

  private Merge(LocalState local, SyncedFields remote, String writerId, String now) {
    this.local = local;
    this.remote = remote;
    this.writerId = writerId;
    this.now = now;
  }

  /**
   * Returns the merged fields.
   *
   * @param remote null when there is no document
   * @param scope the fields to which the device contributes; the others stay as the remote has them
   */
  public static SyncedFields merge(
      LocalState local,
      @Nullable SyncedFields remote,
      Set<SyncedField> scope,
      String writerId,
      String now) {
    SyncedFields there = remote == null ? SyncedFields.none(now, writerId) : remote;
    Merge merge = new Merge(local, there, writerId, now);
    return new SyncedFields(
        scope.contains(SyncedField.READ) ? merge.read() : there.read(),
        scope.contains(SyncedField.LOAD_FROM) ? merge.loadFrom() : there.loadFrom(),
        scope.contains(SyncedField.AUTHOR_PREFS) ? merge.authorPrefs() : there.authorPrefs());
  }

  private SyncedFields.Read read() {
    SyncedFields.Read there = remote.read();
    int epoch = Math.max(local.readEpoch(), there.clearEpoch());
    Set<String> ours =
        Decisions.survives(local.readEpoch(), epoch) ? valid(local.read()) : Set.of();
    Set<String> theirs = Decisions.survives(there.clearEpoch(), epoch) ? there.value() : Set.of();
    Set<String> value = Decisions.unite(ours, theirs);
    boolean same = epoch == there.clearEpoch()
        && value.size() == there.value().size()
        && value.equals(there.value());
    return same ? there : new SyncedFields.Read(now, writerId, epoch, value);
  }

  private SyncedFields.LoadFrom loadFrom() {
    SyncedFields.LoadFrom there = remote.loadFrom();
    int epoch = Math.max(local.loadFromEpoch(), there.clearEpoch());
    boolean ours = Decisions.survives(local.loadFromEpoch(), epoch);
    String value = Decisions.chooseLoadFrom(
        ours ? Limits.normalLoadFrom(local.loadFrom()) : "",
        Decisions.survives(there.clearEpoch(), epoch) ? there.value() : "");
    // A counter of changes: a value that the remote has not seen is one more of them.
    int version = value.equals(there.value()) || value.isEmpty()
        ? there.version()
        : Limits.next(there.version());
    version = ours ? Math.max(version, local.loadFromVersion()) : version;
    boolean same =
        epoch == there.clearEpoch() && version == there.version() && value.equals(there.value());
    return same ? there : new SyncedFields.LoadFrom(now, writerId, version, epoch, value);
  }

  private SyncedFields.AuthorPrefs authorPrefs() {
    SyncedFields.AuthorPrefs there = remote.authorPrefs();
    int epoch = Math.max(local.authorPrefsEpoch(), there.clearEpoch());
    Map<String, AuthorPref> theirs =
        Decisions.survives(there.clearEpoch(), epoch) ? there.value() : Map.of();
    Map<String, AuthorPref> value = theirs;
    if (Decisions.survives(local.authorPrefsEpoch(), epoch)) {
      for (Map.Entry<String, Integer> entry : local.authorPrefs().entrySet()) {
        AuthorPref pref = preference(entry.getKey(), entry.getValue(), theirs.get(entry.getKey()));
        if (pref != null) {
          value = value == theirs ? new LinkedHashMap<>(theirs) : value;
          value.put(entry.getKey(), pref);
        }
      }
    }
    boolean same = epoch == there.clearEpoch() && value == there.value();
    return same ? there : new SyncedFields.AuthorPrefs(now, writerId, epoch, value);
  }

  /** Returns what this device has to add about one author, or null when the remote knows best. */
  private @Nullable AuthorPref preference(String author, int v, @Nullable AuthorPref there) {
    boolean changed = Decisions.ownPreferenceWins(author, local.changedAuthors());
    if (there == null) {
      boolean worthSaying = v != 0 || changed;
      return worthSaying && Limits.isAuthorKey(author)
          ? new AuthorPref(v, 1, changed ? now : LONG_AGO, changed ? writerId : SOMEBODY)
          : null;
    }
    return changed && v != there.v()
        ? new AuthorPref(v, Limits.next(there.version()), now, writerId)
        : null;
  }

  private static Set<String> valid(Set<String> keys) {
    for (String key : keys) {
      if (!Limits.isReadKey(key)) {
        Set<String> valid = new LinkedHashSet<>(keys);
        valid.removeIf(each -> !Limits.isReadKey(each));
        return valid;
      }
    }
    return keys;
  }

  /** Returns the line to log when one side's {@link Limits#LOAD_RECENT} hides the other's date, or null. */
  public static @Nullable String loadFromOverride(LocalState local, SyncedFields remote) {
    if (local.loadFromEpoch() != remote.loadFrom().clearEpoch()) {
      return null;
    }
    String ours = Limits.normalLoadFrom(local.loadFrom());
    String theirs = remote.loadFrom().value();
    boolean oursRecent = ours.equals(Limits.LOAD_RECENT);
    boolean theirsRecent = theirs.equals(Limits.LOAD_RECENT);
    if (ours.isEmpty() || theirs.isEmpty() || oursRecent == theirsRecent) {
      return null;
    }
    return "merge-loadFrom-override local="
        + (oursRecent ? Limits.LOAD_RECENT : "ISO")
        + " remote="
        + (theirsRecent ? Limits.LOAD_RECENT : "ISO")
        + " result="
        + Limits.LOAD_RECENT;
  }
}
