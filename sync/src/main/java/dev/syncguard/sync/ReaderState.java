package dev.syncguard.sync;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a reader has read, from when on they read, and which authors they prefer, on this device.
 *
 * <p>Works at once and without sync; every change is stored before the call returns and marked for the next push. Used by
 * one thread.
 */
public final class ReaderState {

  /** The value of {@link #loadFrom} that means: whatever is recent. */
  public static final String LOAD_RECENT = "__LOAD_RECENT__";

  /** Hears of changes, so that they get pushed. */
  interface Changes {
    void changed();

    void recentChosen();

    void recentServed();
  }

  private final LocalStore local;
  private final Changes changes;

  ReaderState(LocalStore local, Changes changes) {
    this.local = local;
    this.changes = changes;
  }

  /** Returns the ids of the posts and comments that were read. */
  public Set<String> read() {
    return Collections.unmodifiableSet(local.read());
  }

  /** Marks posts and comments as read. */
  public void markRead(Collection<String> ids) {
    local.finishClearing();
    if (local.read().containsAll(ids)) {
      return;
    }
    Set<String> next = new LinkedHashSet<>(local.read());
    next.addAll(ids);
    local.markChanged(SyncedField.READ);
    local.setRead(next);
    changes.changed();
  }

  /**
   * Drops marks from this device that it no longer shows, or that were made by mistake. Other devices keep theirs, and
   * the next merge brings them back: a mark cannot be taken back everywhere, except by a reset.
   */
  public void forgetRead(Collection<String> ids) {
    Set<String> next = new LinkedHashSet<>(local.read());
    ids.forEach(next::remove);
    if (next.size() < local.read().size()) {
      local.setRead(next);
    }
  }

  /** Returns the date to load from as ISO text, {@link #LOAD_RECENT}, or an empty string when none was chosen. */
  public String loadFrom() {
    return local.loadFrom();
  }

  /**
   * Sets the date to load from and nothing else.
   *
   * @param value a date-time with zone, {@link #LOAD_RECENT}, or an empty string, which stays on this device
   */
  public void setLoadFrom(String value) {
    String normal = Limits.normalLoadFrom(value);
    if (normal.isEmpty() && !value.isEmpty()) {
      throw new IllegalArgumentException(
          "The date to load from must be a date-time with its zone, " + LOAD_RECENT + ", or empty");
    }
    local.finishClearing();
    if (value.equals(local.loadFrom())) {
      return;
    }
    boolean travels = !value.isEmpty();
    if (travels) {
      local.updateMeta(meta -> {
        int version = value.equals(meta.syncedLoadFrom())
            ? meta.loadFromVersion()
            : Limits.next(meta.loadFromVersion());
        return meta.with(SyncedField.LOAD_FROM, meta.loadFrom().changed(local.now()))
            .withLoadFromVersion(version, meta.syncedLoadFrom());
      });
    }
    local.setLoadFrom(value);
    if (travels) {
      if (value.equals(LOAD_RECENT)) {
        changes.recentChosen();
      } else {
        changes.recentServed();
      }
      changes.changed();
    }
  }

  /** Sets the date to load from and drops this device's read marks: for a start at another date. */
  public void setLoadFromAndClearRead(String value) {
    setLoadFrom(value);
    local.setRead(Set.of());
  }

  /** Empties read marks and the date to load from on this device. */
  public void clearReadState() {
    local.setRead(Set.of());
    setLoadFrom("");
  }

  /** Says that the first batch has been loaded, so that {@link #LOAD_RECENT} has served and need not be held back. */
  public void feedLoaded() {
    changes.recentServed();
  }

  /** Returns the preferred (1), avoided (-1) and no longer preferred (0) authors. */
  public Map<String, Integer> authorPreferences() {
    return Collections.unmodifiableMap(local.authorPrefs());
  }

  /** Prefers (1) or avoids (-1) an author, or stops doing so (0). */
  public void setAuthorPreference(String author, int preference) {
    if (preference < -1 || preference > 1) {
      throw new IllegalArgumentException("A preference is -1, 0 or 1, but was " + preference);
    }
    local.finishClearing();
    Integer before = local.authorPrefs().get(author);
    if (before == null ? preference == 0 : before == preference) {
      return;
    }
    Map<String, Integer> next = new LinkedHashMap<>(local.authorPrefs());
    next.put(author, preference);
    local.markAuthorsChanged(Set.of(author));
    local.setAuthorPrefs(next);
    changes.changed();
  }
}
