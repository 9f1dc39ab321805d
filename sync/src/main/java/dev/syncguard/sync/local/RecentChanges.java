package dev.syncguard.sync.local;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.DeviceState;
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
 * hands win. What is from before a clearing is not read at all ({@link StoredValues}). A tab that closes before that can lose
 * its last change.
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
   * @param added marks that it added; after a clearing, all that there are
   * @param date the date before, or null if it stayed
   * @param prefs the authors for whom it changed something last, with what was said of them before
   */
  private record Change(
      long at,
      DeviceState after,
      String resetBefore,
      boolean resetOver,
      boolean clearing,
      Map<SyncedField, Integer> marked,
      Set<String> added,
      @Nullable String date,
      Map<String, Before> prefs) {}

  /**
   * What another tab may still hold that knows nothing of our last word on an author.
   *
   * @param values what was said of the author before that, also by this tab a moment earlier
   * @param stamps the stamps under which it was to be pushed
   */
  private record Before(Set<Integer> values, Set<Integer> stamps) {
    Before and(Before earlier) {
      return new Before(union(values, earlier.values), union(stamps, earlier.stamps));
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
      Set<Integer> both = new LinkedHashSet<>(some);
      both.addAll(others);
      return both;
    }
  }

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
    // What was there before a clearing is nothing to compare with.
    Set<String> readBefore = isCleared(SyncedField.READ, old, meta) ? Set.of() : before.read();
    String dateBefore = isCleared(SyncedField.LOAD_FROM, old, meta) ? "" : before.loadFrom();
    Map<String, Integer> prefsBefore =
        isCleared(SyncedField.AUTHOR_PREFS, old, meta) ? Map.of() : before.authorPrefs();
    changes.add(new Change(
        clocks.monotonicMillis(),
        after,
        old.resetId(),
        old.pendingReset() != null && meta.pendingReset() == null,
        clearing,
        marked,
        without(after.read(), readBefore),
        dateBefore.equals(after.loadFrom()) ? null : dateBefore,
        lastWords(changedPrefs(prefsBefore, after.authorPrefs(), old.changedAuthors()), meta)));
  }

  // What this tab said of an author and then took back must not be said again.
  private Map<String, Before> lastWords(Map<String, Before> prefs, SyncMeta meta) {
    for (Change earlier : changes) {
      if (!isCleared(SyncedField.AUTHOR_PREFS, earlier.after.meta(), meta)) {
        prefs.replaceAll((author, before) -> {
          Before superseded = earlier.prefs.remove(author);
          return superseded == null ? before : before.and(superseded);
        });
      }
    }
    return prefs;
  }

  private static boolean isCleared(SyncedField field, SyncMeta before, SyncMeta after) {
    return !before.since(field).equals(after.since(field));
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

  private static Map<String, Before> changedPrefs(
      Map<String, Integer> before, Map<String, Integer> after, Map<String, Integer> stamps) {
    Map<String, Before> changed = new LinkedHashMap<>();
    if (!before.equals(after)) {
      Set<String> authors = new LinkedHashSet<>(before.keySet());
      authors.addAll(after.keySet());
      for (String author : authors) {
        if (!Objects.equals(before.get(author), after.get(author))) {
          Integer stamp = stamps.get(author);
          changed.put(
              author,
              new Before(
                  Set.of(before.getOrDefault(author, NOTHING)),
                  stamp == null ? Set.of() : Set.of(stamp)));
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

  /** Returns whether a late tab has put back a clearing of this one, which it cannot know of. */
  boolean isPutBack(SyncMeta stored) {
    forgetOldOnes();
    for (Change change : changes) {
      SyncMeta ours = change.after.meta();
      String reset = stored.resetId();
      boolean knows = reset.equals(ours.resetId()) || reset.equals(change.resetBefore);
      boolean same = stored.owner().handovers() == ours.owner().handovers() && knows;
      for (SyncedField field : SyncedField.values()) {
        if (same && stored.field(field).since() < ours.field(field).since()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns {@code stored} with everything that it lacks of what this tab did.
   *
   * @param lost the fields in whose place there is a value from before a clearing
   */
  DeviceState madeAgain(DeviceState stored, Set<SyncedField> lost, String now) {
    forgetOldOnes();
    DeviceState state = stored;
    for (Change change : changes) {
      state = again(change, state, lost, now);
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

  private static DeviceState again(
      Change change, DeviceState stored, Set<SyncedField> lost, String now) {
    int theirs = stored.meta().owner().handovers();
    int ours = change.after.meta().owner().handovers();
    if (theirs > ours) {
      return stored;
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
      return stored;
    }
    if (change.clearing || change.resetOver) {
      state = clearedAgain(change, state, resetIsLost, now);
    }
    return marked(change, stored.meta(), valuesAgain(change, state, lost, now), now);
  }

  private static DeviceState clearedAgain(
      Change change, DeviceState state, boolean resetIsLost, String now) {
    SyncMeta meta = state.meta();
    SyncMeta wanted = change.after.meta();
    boolean behind = false;
    DeviceState values = state;
    for (SyncedField field : SyncedField.values()) {
      SyncMeta.Field there = meta.field(field);
      SyncMeta.Field ours = wanted.field(field);
      if (there.clearEpoch() < ours.clearEpoch()) {
        behind = true;
        if (there.since() < ours.since()) {
          // All of it is from before, also what this tab had never seen.
          values = withField(field, values, change.after);
          meta = field == SyncedField.AUTHOR_PREFS ? meta.withChangedAuthors(Map.of()) : meta;
          there = there.clearedAt(ours.since(), now);
        }
        meta = meta.with(field, there.at(ours.clearEpoch(), now));
      }
    }
    boolean over = change.resetOver && meta.pendingReset() != null;
    if (resetIsLost || over) {
      meta = meta.with(wanted.reset().with(SyncMeta.Clearing.NONE));
    }
    int version = Math.max(meta.loadFromVersion(), wanted.loadFromVersion());
    return values.with(behind ? meta.withDate(version, wanted.syncedLoadFrom()) : meta);
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
  private static DeviceState valuesAgain(
      Change change, DeviceState stored, Set<SyncedField> lost, String now) {
    DeviceState state = stored;
    SyncMeta there = stored.meta();
    SyncMeta then = change.after.meta();
    if (!isCleared(SyncedField.READ, then, there) && !state.read().containsAll(change.added)) {
      Set<String> united = new LinkedHashSet<>(state.read());
      united.addAll(change.added);
      state = state.changed(SyncedField.READ, now).withRead(united);
    }
    boolean dateIsLost = lost.contains(SyncedField.LOAD_FROM) && change.date != null;
    if (!isCleared(SyncedField.LOAD_FROM, then, there)
        && (dateIsLost || state.loadFrom().equals(change.date))
        && !isLater(
            stored.meta().fields().loadFrom(),
            change.after.meta().fields().loadFrom().changes())) {
      state = state.changed(SyncedField.LOAD_FROM, now).withLoadFrom(change.after.loadFrom());
    }
    if (!isCleared(SyncedField.AUTHOR_PREFS, then, there)) {
      boolean prefsAreLost = lost.contains(SyncedField.AUTHOR_PREFS);
      Map<String, Integer> prefs = new LinkedHashMap<>(state.authorPrefs());
      change.prefs.forEach((author, before) -> {
        if ((prefsAreLost || before.values.contains(prefs.getOrDefault(author, NOTHING)))
            && !saidSince(author, before, stored.meta(), change)) {
          Integer wanted = change.after.authorPrefs().get(author);
          if (wanted != null) {
            prefs.put(author, wanted);
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
  private static boolean saidSince(String author, Before before, SyncMeta stored, Change change) {
    Integer theirs = stored.changedAuthors().get(author);
    if (theirs == null) {
      SyncMeta.Field field = stored.fields().authorPrefs();
      return !field.dirty()
          && isLater(field, change.after.meta().fields().authorPrefs().changes());
    }
    return !before.stamps.contains(theirs)
        && !theirs.equals(change.after.meta().changedAuthors().get(author));
  }

  /** Leaves to be pushed, once more, what another tab takes for pushed without having seen it. */
  private static DeviceState marked(Change change, SyncMeta seen, DeviceState stored, String now) {
    DeviceState state = stored;
    for (Map.Entry<SyncedField, Integer> entry : change.marked.entrySet()) {
      SyncedField field = entry.getKey();
      SyncMeta.Field there = state.meta().field(field);
      boolean cleared = isCleared(field, change.after.meta(), state.meta());
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
