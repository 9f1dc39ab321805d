package dev.syncguard.sync;

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

  /** Merges, keeps the result within its caps, stores it here, and returns it. */
  SyncedFields take(@Nullable SyncedFields remote, Set<SyncedField> scope) {
    LocalState state = local.state();
    if (remote != null && scope.contains(SyncedField.LOAD_FROM)) {
      String override = Merge.loadFromOverride(state, remote);
      if (override != null) {
        session.log.info(override);
      }
    }
    int unfit = local.unfitKeys();
    if (unfit > 0) {
      session.log.info(unfit + " keys of this device are left out, because they may not travel");
    }
    String now = now();
    SyncedFields merged = Merge.merge(state, remote, scope, session.writerId, now);
    backUpWhatAClearingOvertook(merged, scope);
    SyncedFields fitting = Caps.enforce(
        merged, session.config.readCap, session.config.authorCap, session.writerId, now);
    if (fitting.read().clearEpoch() != merged.read().clearEpoch()) {
      session.log.warn(
          "More read marks than a document may hold: all are cleared, on every device");
      local.clearRead(fitting.read().clearEpoch());
      tell(EnumSet.of(SyncedField.READ));
    }
    tell(store(fitting, scope));
    if (fitting.authorPrefs().value().size() < merged.authorPrefs().value().size()) {
      session.log.info("More author preferences than a document may hold: the oldest are dropped");
      local.markChanged(SyncedField.AUTHOR_PREFS);
    }
    return fitting;
  }

  /** Clears the read marks of {@code fields} here and returns what is left, for a document that got too large. */
  SyncedFields clearRead(SyncedFields fields) {
    SyncedFields cleared = Caps.clearRead(fields, session.writerId, now());
    session.log.warn("The document is too large: all read marks are cleared, on every device");
    local.clearRead(cleared.read().clearEpoch());
    tell(EnumSet.of(SyncedField.READ));
    return cleared;
  }

  // The clearing stands. But a device that had something to say, perhaps since before it ever
  // synced, may hold the only
  // copy of it.
  private void backUpWhatAClearingOvertook(SyncedFields merged, Set<SyncedField> scope) {
    SyncMeta meta = local.meta();
    for (SyncedField field : scope) {
      boolean overtaken = meta.field(field).clearEpoch() < merged.clearEpoch(field);
      if (overtaken && meta.field(field).dirty() && !local.isEmpty(field)) {
        local.backUp(new Transfer(local).export());
        session.log.warn("Everything was cleared elsewhere while this device had unpushed changes;"
            + " a copy of what it had is kept as " + local.keys.backup);
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

  /**
   * Takes over the merged fields of {@code scope} and returns those whose value changed. What was merged away, because
   * this device had missed a clearing, no longer counts as changed here.
   */
  private Set<SyncedField> store(SyncedFields merged, Set<SyncedField> scope) {
    if (scope.contains(SyncedField.AUTHOR_PREFS)) {
      local.updateMeta(meta -> withoutUnsaid(meta, local.authorPrefs().keySet()));
    }
    Set<SyncedField> changed = new LinkedHashSet<>();
    for (SyncedField field : SyncedField.values()) {
      if (scope.contains(field) && storeValue(field, merged)) {
        changed.add(field);
      }
    }
    String now = local.now();
    local.updateMeta(before -> {
      SyncMeta meta = before;
      for (SyncedField field : scope) {
        int epoch = merged.clearEpoch(field);
        if (meta.field(field).clearEpoch() != epoch) {
          meta = meta.with(field, meta.field(field).at(epoch, now));
          meta = field == SyncedField.AUTHOR_PREFS ? meta.withChangedAuthors(Map.of()) : meta;
        }
      }
      int version = merged.loadFrom().version();
      return !scope.contains(SyncedField.LOAD_FROM) || meta.loadFromVersion() == version
          ? meta
          : meta.withLoadFromVersion(version, meta.syncedLoadFrom());
    });
    return changed;
  }

  // An import may have dropped a preference after it was changed here. What the remote now puts in
  // its place is not ours to insist on, so this comes first.
  private static SyncMeta withoutUnsaid(SyncMeta meta, Set<String> saidHere) {
    if (saidHere.containsAll(meta.changedAuthors().keySet())) {
      return meta;
    }
    Map<String, Integer> changed = new LinkedHashMap<>(meta.changedAuthors());
    changed.keySet().retainAll(saidHere);
    return meta.withChangedAuthors(changed);
  }

  private boolean storeValue(SyncedField field, SyncedFields merged) {
    return switch (field) {
      case READ -> storeRead(merged.read().value());
      case LOAD_FROM -> storeLoadFrom(merged.loadFrom().value());
      case AUTHOR_PREFS -> storeAuthorPrefs(merged.authorPrefs().value());
    };
  }

  // Keys that may not travel stay here: hygiene is no reason to delete what a reader has.
  private boolean storeRead(Set<String> value) {
    Set<String> next = new LinkedHashSet<>(value);
    for (String id : local.read()) {
      if (!Limits.isReadKey(id)) {
        next.add(id);
      }
    }
    if (next.equals(local.read())) {
      return false;
    }
    local.setRead(next);
    return true;
  }

  private boolean storeLoadFrom(String value) {
    if (value.equals(local.loadFrom())
        || (value.isEmpty() && Limits.normalLoadFrom(local.loadFrom()).isEmpty())) {
      return false;
    }
    local.setLoadFrom(value);
    return true;
  }

  private boolean storeAuthorPrefs(Map<String, SyncedFields.AuthorPref> value) {
    Map<String, Integer> next = new LinkedHashMap<>();
    value.forEach((author, pref) -> next.put(author, pref.v()));
    local.authorPrefs().forEach((author, v) -> {
      if (!Limits.isAuthorKey(author)) {
        next.put(author, v);
      }
    });
    if (next.equals(local.authorPrefs())) {
      return false;
    }
    local.setAuthorPrefs(next);
    return true;
  }
}
