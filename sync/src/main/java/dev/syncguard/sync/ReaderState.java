package dev.syncguard.sync;

import dev.syncguard.sync.engine.Engine;
import dev.syncguard.sync.engine.ReaderChanges;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Ticket;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What a reader has read, from when on they read, and which authors they prefer, on this device.
 *
 * <p>Works at once and without sync; every change is stored before the call returns and marked for the next push. Used by
 * one thread.
 */
public final class ReaderState {

  /** The value of {@link #loadFrom} that means: whatever is recent. */
  public static final String LOAD_RECENT = Limits.LOAD_RECENT;

  private final LocalStore local;
  private final Supplier<Ticket> tickets;
  private final ReaderChanges changes;

  ReaderState(Engine engine) {
    local = engine.local();
    tickets = engine::ticket;
    changes = engine.changes();
  }

  private boolean commit(UnaryOperator<DeviceState> change) {
    boolean done = local.commit(tickets.get(), change);
    if (!done) {
      changes.refused();
    }
    return done;
  }

  /** Returns the ids of the posts and comments that were read. */
  public Set<String> read() {
    return Collections.unmodifiableSet(local.read());
  }

  /** Marks posts and comments as read. */
  public void markRead(Collection<String> ids) {
    if (local.state().read().containsAll(ids)) {
      return;
    }
    if (commit(state -> state.marking(ids, local.now()))) {
      changes.changed();
    }
  }

  /**
   * Drops marks from this device that it no longer shows, or that were made by mistake. Other devices keep theirs, and
   * the next merge brings them back: a mark cannot be taken back everywhere, except by a reset.
   */
  public void forgetRead(Collection<String> ids) {
    commit(state -> {
      Set<String> next = new LinkedHashSet<>(state.read());
      ids.forEach(next::remove);
      return state.withRead(next);
    });
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
    if (value.equals(local.state().loadFrom())) {
      return;
    }
    boolean travels = !value.isEmpty();
    if (!commit(
        state -> travels ? state.loadingFrom(value, local.now()) : state.withLoadFrom(value))) {
      return;
    }
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
    commit(state -> state.withRead(Set.of()));
  }

  /** Empties read marks and the date to load from on this device. */
  public void clearReadState() {
    commit(state -> state.withRead(Set.of()));
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
    Integer before = local.state().authorPrefs().get(author);
    if (before == null ? preference == 0 : before == preference) {
      return;
    }
    boolean done = commit(state -> {
      Map<String, Integer> next = new LinkedHashMap<>(state.authorPrefs());
      next.put(author, preference);
      return state.preferring(next, Set.of(author), local.now());
    });
    if (done) {
      changes.changed();
    }
  }
}
