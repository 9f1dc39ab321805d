package dev.syncguard.sync.local;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.SyncMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this tab has changed in the last moments, to be made again if another tab overwrites it.
 *
 * <p>Userscript managers pass values from tab to tab late, so a tab may write over what it has not seen yet. Whoever made a
 * change notices when the other value arrives, and adds what that lacks. All tabs come to the same: marks are united; of
 * two dates, or two preferences for an author, the one that stands is left alone; a higher epoch and a later change of
 * hands win, and what they removed goes again. A tab that closes before that can lose its last change.
 */
final class RecentChanges {

  /**
   * One change.
   *
   * @param after what it led to
   * @param resetBefore the last reset before it
   * @param resetOver whether a reset has reached the remote with it
   * @param clearing whether it began an epoch or a reset, or changed hands
   * @param marked the fields that it left to be pushed, with the stamp of the change
   * @param written all marks that it stored with them, or none if it left them alone
   * @param added marks that it added
   * @param removed marks that a clearing took away; what a reader only drops from the device is not insisted on
   * @param date the date before, or null if it stayed
   * @param prefs the authors for whom it changed something, with what was said of them before
   * @param saidBefore the authors who were to be pushed before, with their stamps
   */
  private record Change(
      long at,
      DeviceState after,
      String resetBefore,
      boolean resetOver,
      boolean clearing,
      Map<SyncedField, Integer> marked,
      Set<String> written,
      Set<String> added,
      Set<String> removed,
      @Nullable String date,
      Map<String, Integer> prefs,
      Map<String, Integer> saidBefore) {}

  /** What is said of most authors. */
  private static final Integer NOTHING = Integer.MIN_VALUE;

  private final Clocks clocks;
  private final List<Change> changes = new ArrayList<>();

  RecentChanges(Clocks clocks) {
    this.clocks = clocks;
  }

  /** Takes note of a change that this tab has made. */
  void made(DeviceState before, DeviceState after) {
    forgetOldOnes();
    if (!differ(before, after)) {
      return;
    }
    SyncMeta old = before.meta();
    SyncMeta meta = after.meta();
    boolean handover = old.owner().handovers() != meta.owner().handovers();
    boolean clearing =
        handover || !old.resetId().equals(meta.resetId()) || !old.epochs().equals(meta.epochs());
    Set<String> removed = without(before.read(), after.read());
    Map<SyncedField, Integer> marked = new LinkedHashMap<>();
    for (SyncedField field : SyncedField.values()) {
      SyncMeta.Field now = meta.field(field);
      if (now.dirty() && now.changes() != old.field(field).changes()) {
        marked.put(field, now.changes());
      }
      for (Change earlier : changes) {
        if (!now.dirty()) {
          earlier.marked.remove(field);
        } else if (marked.containsKey(field)) {
          earlier.marked.replace(field, now.changes());
        }
      }
    }
    changes.forEach(earlier -> earlier.added.removeAll(removed));
    changes.add(new Change(
        clocks.monotonicMillis(),
        after,
        old.resetId(),
        old.pendingReset() != null && meta.pendingReset() == null,
        clearing,
        marked,
        before.read().equals(after.read()) ? Set.of() : after.read(),
        without(after.read(), before.read()),
        clearing ? removed : Set.of(),
        before.loadFrom().equals(after.loadFrom()) ? null : before.loadFrom(),
        changedPrefs(before.authorPrefs(), after.authorPrefs()),
        old.changedAuthors()));
  }

  /** Returns whether two states differ in anything that a device stores. */
  static boolean differ(DeviceState one, DeviceState other) {
    return !one.meta().equals(other.meta())
        || !one.read().equals(other.read())
        || !one.loadFrom().equals(other.loadFrom())
        || !one.authorPrefs().equals(other.authorPrefs());
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    if (some.containsAll(all)) {
      return new LinkedHashSet<>();
    }
    Set<String> rest = new LinkedHashSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static Map<String, Integer> changedPrefs(
      Map<String, Integer> before, Map<String, Integer> after) {
    Map<String, Integer> changed = new LinkedHashMap<>();
    if (!before.equals(after)) {
      Set<String> authors = new LinkedHashSet<>(before.keySet());
      authors.addAll(after.keySet());
      for (String author : authors) {
        if (!Objects.equals(before.get(author), after.get(author))) {
          changed.put(author, before.getOrDefault(author, NOTHING));
        }
      }
    }
    return changed;
  }

  private void forgetOldOnes() {
    long now = clocks.monotonicMillis();
    changes.removeIf(change -> now - change.at >= LatestTurn.PROPAGATION);
  }

  boolean isEmpty() {
    forgetOldOnes();
    return changes.isEmpty();
  }

  /** Returns {@code stored} with everything that it lacks of what this tab did. */
  DeviceState madeAgain(DeviceState stored, String now) {
    forgetOldOnes();
    DeviceState state = stored;
    for (Change change : changes) {
      state = again(change, state, now);
    }
    return state;
  }

  /** Takes note that changes were made again: what is to be pushed because of that has a new stamp. */
  void mended(SyncMeta before, SyncMeta after) {
    for (Change change : changes) {
      change.marked.replaceAll(
          (field, stamp) -> before.field(field).changes() == after.field(field).changes()
              ? stamp
              : (Integer) after.field(field).changes());
    }
  }

  private static DeviceState again(Change change, DeviceState stored, String now) {
    int theirs = stored.meta().owner().handovers();
    int ours = change.after.meta().owner().handovers();
    if (theirs > ours) {
      return withdrawn(change, stored);
    }
    DeviceState state = stored;
    if (theirs < ours) {
      // What is there was written by a tab that did not know of the new owner.
      state = state.emptied().with(change.after.meta());
    } else if (stored.meta().owner().userId() == null) {
      state = state.with(stored.meta().with(change.after.meta().owner()));
    }
    String reset = state.meta().resetId();
    boolean resetIsOurs = reset.equals(change.after.meta().resetId());
    boolean resetIsLost = !resetIsOurs && reset.equals(change.resetBefore);
    if (!resetIsOurs && !resetIsLost) {
      // Another tab has reset since, which is what the reader wants of all that was before.
      return overtaken(change, stored);
    }
    if (change.clearing || change.resetOver) {
      state = clearedAgain(change, state, resetIsLost, now);
    }
    state = overtaken(change, state);
    return marked(change, stored.meta(), valuesAgain(change, state, now), now);
  }

  /**
   * Takes our late values out of fields that another tab has cleared meanwhile: it cannot know of them, and in the new epoch
   * they would come back to life.
   */
  private static DeviceState overtaken(Change change, DeviceState stored) {
    SyncMeta known = change.after.meta();
    if (known.pendingReset() != null && known.resetId().equals(stored.meta().resetId())) {
      // That reset has only set higher targets: what was said since it began goes along.
      return stored;
    }
    Epochs there = stored.meta().epochs();
    Epochs then = known.epochs();
    DeviceState without = withdrawn(change, stored);
    DeviceState state = stored;
    if (there.read() > then.read()) {
      state = state.withRead(without.read());
    }
    if (there.loadFrom() > then.loadFrom()) {
      state = state.withLoadFrom(without.loadFrom());
    }
    if (there.authorPrefs() > then.authorPrefs()) {
      state = state.withAuthorPrefs(without.authorPrefs());
    }
    return state;
  }

  /** Takes out our late values: the state is somebody else's by now, or from after a clearing. */
  private static DeviceState withdrawn(Change change, DeviceState stored) {
    Map<String, Integer> prefs = new LinkedHashMap<>(stored.authorPrefs());
    if (!change.prefs.isEmpty()) {
      change.after.authorPrefs().forEach((author, v) -> {
        if (!stored.meta().changedAuthors().containsKey(author)) {
          prefs.remove(author, v);
        }
      });
    }
    boolean ourDate = change.date != null && stored.loadFrom().equals(change.after.loadFrom());
    return stored
        .withRead(without(stored.read(), change.written))
        .withLoadFrom(ourDate ? "" : stored.loadFrom())
        .withAuthorPrefs(prefs);
  }

  private static DeviceState clearedAgain(
      Change change, DeviceState state, boolean resetIsLost, String now) {
    SyncMeta meta = state.meta();
    SyncMeta wanted = change.after.meta();
    boolean behind = false;
    DeviceState values = state;
    for (SyncedField field : SyncedField.values()) {
      int epoch = wanted.field(field).clearEpoch();
      if (meta.field(field).clearEpoch() < epoch || isUntouched(field, state.meta(), wanted)) {
        // All of it is from before, also what this tab had never seen.
        values = withField(field, values, change.after);
      }
      if (meta.field(field).clearEpoch() < epoch) {
        behind = true;
        meta = meta.with(field, meta.field(field).at(epoch, now));
        meta = field == SyncedField.AUTHOR_PREFS ? meta.withChangedAuthors(Map.of()) : meta;
      }
    }
    boolean over = change.resetOver && meta.pendingReset() != null;
    if (resetIsLost || over) {
      meta = meta.with(wanted.reset().with(SyncMeta.Clearing.NONE));
    }
    int version = Math.max(meta.loadFromVersion(), wanted.loadFromVersion());
    meta = behind ? meta.withDate(version, wanted.syncedLoadFrom()) : meta;
    DeviceState cleared = values.with(meta);
    if (meta.epochs().equals(wanted.epochs())) {
      // A date that nobody has chosen since is one from before, which another tab wrote late.
      boolean lateDate = change.after.loadFrom().isEmpty()
          && !meta.fields().loadFrom().dirty()
          && meta.loadFromVersion() == wanted.loadFromVersion();
      cleared = cleared
          .withRead(without(values.read(), change.removed))
          .withLoadFrom(lateDate ? "" : values.loadFrom());
    }
    return cleared;
  }

  /** Returns whether nobody can have said or pulled anything since a reset: while it is pending, nothing is pulled. */
  private static boolean isUntouched(SyncedField field, SyncMeta stored, SyncMeta wanted) {
    return stored.pendingReset() != null
        && wanted.pendingReset() != null
        && stored.resetId().equals(wanted.resetId())
        && stored.field(field).changes() == wanted.field(field).changes();
  }

  private static DeviceState withField(SyncedField field, DeviceState state, DeviceState other) {
    return switch (field) {
      case READ -> state.withRead(other.read());
      case LOAD_FROM -> state.withLoadFrom(other.loadFrom());
      case AUTHOR_PREFS -> state.withAuthorPrefs(other.authorPrefs());
    };
  }

  /**
   * Adds what is missing, unless a later clearing may have taken it. Its field counts as changed once more, even if it was
   * to be pushed anyway: a push may be under way that lacks this.
   */
  private static DeviceState valuesAgain(Change change, DeviceState stored, String now) {
    DeviceState state = stored;
    Epochs there = stored.meta().epochs();
    Epochs then = change.after.meta().epochs();
    if (there.read() == then.read() && !state.read().containsAll(change.added)) {
      Set<String> united = new LinkedHashSet<>(state.read());
      united.addAll(change.added);
      state = state.changed(SyncedField.READ, now).withRead(united);
    }
    if (there.loadFrom() == then.loadFrom()
        && state.loadFrom().equals(change.date)
        && !isLater(
            stored.meta().fields().loadFrom(),
            change.after.meta().fields().loadFrom().changes())) {
      state = state.changed(SyncedField.LOAD_FROM, now).withLoadFrom(change.after.loadFrom());
    }
    if (there.authorPrefs() == then.authorPrefs()) {
      Map<String, Integer> prefs = new LinkedHashMap<>(state.authorPrefs());
      change.prefs.forEach((author, before) -> {
        if (prefs.getOrDefault(author, NOTHING).equals(before)
            && !saidSince(author, stored.meta(), change)) {
          Integer wanted = change.after.authorPrefs().get(author);
          if (wanted != null) {
            prefs.put(author, wanted);
          } else if (change.clearing) {
            prefs.remove(author);
          }
        }
      });
      if (!prefs.equals(state.authorPrefs())) {
        Set<String> said =
            new LinkedHashSet<>(change.after.meta().changedAuthors().keySet());
        said.removeIf(
            author -> Objects.equals(prefs.get(author), stored.authorPrefs().get(author)));
        state = state.preferring(prefs, said, now);
      }
    }
    return state;
  }

  /** Returns whether a tab that had seen our change, or made more of them, has changed the field since. */
  private static boolean isLater(SyncMeta.Field stored, int stamp) {
    return stored.changes() / DeviceState.STAMPS > stamp / DeviceState.STAMPS;
  }

  /** Returns whether another tab has said something of this very author. */
  private static boolean saidSince(String author, SyncMeta stored, Change change) {
    Integer theirs = stored.changedAuthors().get(author);
    if (theirs == null) {
      SyncMeta.Field field = stored.fields().authorPrefs();
      return !field.dirty()
          && isLater(field, change.after.meta().fields().authorPrefs().changes());
    }
    return !theirs.equals(change.saidBefore.get(author))
        && !theirs.equals(change.after.meta().changedAuthors().get(author));
  }

  /** Leaves to be pushed, once more, what another tab takes for pushed without having seen it. */
  private static DeviceState marked(Change change, SyncMeta seen, DeviceState stored, String now) {
    DeviceState state = stored;
    for (Map.Entry<SyncedField, Integer> entry : change.marked.entrySet()) {
      SyncedField field = entry.getKey();
      SyncMeta.Field there = state.meta().field(field);
      boolean cleared = there.clearEpoch() != change.after.meta().field(field).clearEpoch();
      if (!cleared && !there.dirty() && there.changes() != entry.getValue()) {
        state = state.changed(field, now);
      }
    }
    Integer stamp = change.marked.get(SyncedField.AUTHOR_PREFS);
    if (stamp != null
        && state.meta().field(SyncedField.AUTHOR_PREFS).dirty()
        && !isLater(seen.field(SyncedField.AUTHOR_PREFS), stamp)) {
      Map<String, Integer> changed = new LinkedHashMap<>(state.meta().changedAuthors());
      for (String author : change.prefs.keySet()) {
        Integer ours = change.after.authorPrefs().get(author);
        if (ours != null && ours.equals(state.authorPrefs().get(author))) {
          changed.putIfAbsent(
              author, state.meta().field(SyncedField.AUTHOR_PREFS).changes());
        }
      }
      if (!changed.equals(state.meta().changedAuthors())) {
        state = state.with(state.meta().withChangedAuthors(changed));
      }
    }
    return state;
  }
}
