package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.local.Transfer;
import dev.syncguard.sync.state.Caps;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Merge;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.state.Ticket;
import dev.syncguard.sync.text.Iso;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges a version of the remote into this device: the step that pulls and pushes share. */
final class LocalMerge {

  static final Set<SyncedField> ALL = EnumSet.allOf(SyncedField.class);

  private final Session session;
  private final LocalStore local;

  LocalMerge(Session session) {
    this.session = session;
    this.local = session.local;
  }

  /**
   * Merges, keeps the result within its caps, stores it here, and returns it.
   *
   * @return null if the work came too late: then nothing has changed
   */
  @Nullable
  SyncedFields take(Ticket ticket, @Nullable SyncedFields remote, Set<SyncedField> scope) {
    SyncedFields[] result = new SyncedFields[1];
    DeviceState[] seen = new DeviceState[2];
    boolean done = local.commit(ticket, state -> {
      diagnose(state, remote, scope);
      String now = now();
      SyncedFields merged = Merge.merge(state.local(), remote, scope, session.writerId, now);
      backUpWhatAClearingOvertook(state, merged, scope);
      SyncedFields fitting = Caps.enforce(
          merged, session.settings.readCap, session.settings.authorCap, session.writerId, now);
      DeviceState after = taken(state, fitting, scope);
      if (fitting.read().clearEpoch() != merged.read().clearEpoch()) {
        session.log.warn("Too many read marks: all are cleared; backup kept");
        local.backUp(Transfer.export(state));
        session.shrunk = true;
        after = clearing(after, fitting.read().clearEpoch());
      }
      if (fitting.authorPrefs().value().size() < merged.authorPrefs().value().size()) {
        session.log.info("Too many author preferences: the oldest are dropped");
        after = after.changed(SyncedField.AUTHOR_PREFS, local.now());
      }
      result[0] = fitting;
      seen[0] = state;
      seen[1] = after;
      return after;
    });
    if (!done) {
      return null;
    }
    tell(differences(seen[0], seen[1]));
    return result[0];
  }

  /**
   * Clears the read marks of {@code fields} here and returns what is left, for a document that we have measured to be too
   * large.
   *
   * @return null if the work came too late: then nothing has changed
   */
  @Nullable
  SyncedFields clearRead(Ticket ticket, SyncedFields fields) {
    SyncedFields cleared = Caps.clearRead(fields, session.writerId, now());
    boolean done = local.commit(ticket, state -> {
      local.backUp(Transfer.export(state));
      return clearing(state.withRead(unfit(state.read())), cleared.read().clearEpoch());
    });
    if (!done) {
      return null;
    }
    session.shrunk = true;
    session.log.warn("The document is too large: all read marks are cleared; backup kept");
    tell(EnumSet.of(SyncedField.READ));
    return cleared;
  }

  private DeviceState clearing(DeviceState state, int epoch) {
    SyncMeta meta = state.meta();
    String now = local.now();
    return state.with(
        meta.with(SyncedField.READ, meta.field(SyncedField.READ).changed(now).clearedAt(epoch, now))
            .with(meta.reset().with(SyncMeta.Clearing.READ_MARKS)));
  }

  private void diagnose(DeviceState state, @Nullable SyncedFields remote, Set<SyncedField> scope) {
    if (remote != null && scope.contains(SyncedField.LOAD_FROM)) {
      String override = Merge.loadFromOverride(state.local(), remote);
      if (override != null) {
        session.log.info(override);
      }
    }
    int unfit = state.unfitKeys();
    if (unfit > 0) {
      session.log.info(unfit + " keys of this device may not travel");
    }
  }

  // The clearing stands. But a device that had something to say, perhaps since before it ever
  // synced, may hold the only copy of it.
  private void backUpWhatAClearingOvertook(
      DeviceState state, SyncedFields merged, Set<SyncedField> scope) {
    for (SyncedField field : scope) {
      SyncMeta.Field known = state.meta().field(field);
      boolean overtaken = known.clearEpoch() < merged.clearEpoch(field);
      if (overtaken && known.dirty() && !state.isEmpty(field)) {
        local.backUp(Transfer.export(state));
        session.log.warn(
            "Cleared elsewhere while this device had unpushed changes; a copy is kept as "
                + local.keys.backup);
        return;
      }
    }
  }

  private void tell(Set<SyncedField> changed) {
    if (!changed.isEmpty()) {
      session.applied++;
      session.listener.applied(changed);
    }
  }

  private String now() {
    return Iso.text(session.clock.nowMillis());
  }

  private static Set<SyncedField> differences(DeviceState before, DeviceState after) {
    Set<SyncedField> changed = EnumSet.noneOf(SyncedField.class);
    if (!after.read().equals(before.read())) {
      changed.add(SyncedField.READ);
    }
    if (!after.loadFrom().equals(before.loadFrom())) {
      changed.add(SyncedField.LOAD_FROM);
    }
    if (!after.authorPrefs().equals(before.authorPrefs())) {
      changed.add(SyncedField.AUTHOR_PREFS);
    }
    return changed;
  }

  /**
   * Returns the device with the merged fields of {@code scope}. What was merged away, because this device had missed a
   * clearing, no longer counts as changed here.
   */
  private DeviceState taken(DeviceState before, SyncedFields merged, Set<SyncedField> scope) {
    DeviceState state = before;
    SyncMeta meta = before.meta();
    if (scope.contains(SyncedField.AUTHOR_PREFS)) {
      meta = withoutUnsaid(meta, before.authorPrefs().keySet());
      state = state.withAuthorPrefs(prefs(before, merged.authorPrefs().value()));
    }
    if (scope.contains(SyncedField.READ)) {
      state = state.withRead(read(before, merged.read().value()));
    }
    String date = merged.loadFrom().value();
    boolean noDate = date.isEmpty() && before.isEmpty(SyncedField.LOAD_FROM);
    if (scope.contains(SyncedField.LOAD_FROM)) {
      state = noDate ? state : state.withLoadFrom(date);
      meta = meta.withDate(merged.loadFrom().version(), meta.syncedLoadFrom());
    }
    for (SyncedField field : scope) {
      int epoch = merged.clearEpoch(field);
      if (meta.field(field).clearEpoch() != epoch) {
        meta = meta.with(field, meta.field(field).clearedAt(epoch, local.now()));
        meta = field == SyncedField.AUTHOR_PREFS ? meta.withChangedAuthors(Map.of()) : meta;
      }
    }
    return state.with(meta);
  }

  // An import may have dropped a preference after it was changed here. What the remote now puts in
  // its place is not ours to insist on.
  private static SyncMeta withoutUnsaid(SyncMeta meta, Set<String> saidHere) {
    if (saidHere.containsAll(meta.changedAuthors().keySet())) {
      return meta;
    }
    Map<String, Integer> changed = new LinkedHashMap<>(meta.changedAuthors());
    changed.keySet().retainAll(saidHere);
    return meta.withChangedAuthors(changed);
  }

  // Keys that may not travel stay here: hygiene is no reason to delete what a reader has.
  private static Set<String> read(DeviceState before, Set<String> value) {
    Set<String> next = new LinkedHashSet<>(value);
    next.addAll(unfit(before.read()));
    return next.equals(before.read()) ? before.read() : next;
  }

  private static Set<String> unfit(Set<String> ids) {
    Set<String> unfit = new LinkedHashSet<>(ids);
    unfit.removeIf(Limits::isReadKey);
    return unfit;
  }

  private static Map<String, Integer> prefs(
      DeviceState before, Map<String, SyncedFields.AuthorPref> value) {
    Map<String, Integer> next = new LinkedHashMap<>();
    value.forEach((author, pref) -> next.put(author, pref.v()));
    before.authorPrefs().forEach((author, v) -> {
      if (!Limits.isAuthorKey(author)) {
        next.put(author, v);
      }
    });
    return next.equals(before.authorPrefs()) ? before.authorPrefs() : next;
  }
}
