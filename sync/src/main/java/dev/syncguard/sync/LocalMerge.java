package dev.syncguard.sync;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges a version of the remote into this device: the step that pulls and pushes share. */
final class LocalMerge {

  static final Set<SyncedField> ALL = EnumSet.allOf(SyncedField.class);

  private final Session session;

  LocalMerge(Session session) {
    this.session = session;
  }

  /** Merges, keeps the result within its caps, stores it here, and returns it. */
  SyncedFields take(@Nullable SyncedFields remote, Set<SyncedField> scope) {
    LocalState state = session.local.state();
    if (remote != null && scope.contains(SyncedField.LOAD_FROM)) {
      String override = Merge.loadFromOverride(state, remote);
      if (override != null) {
        session.log.info(override);
      }
    }
    int unfit = session.local.unfitKeys();
    if (unfit > 0) {
      session.log.info(unfit + " keys of this device are left out, because they may not travel");
    }
    String now = now();
    SyncedFields merged =
        Merge.merge(session.decisions, state, remote, scope, session.writerId, now);
    SyncedFields fitting = Caps.enforce(
        merged, session.config.readCap, session.config.authorCap, session.writerId, now);
    store(fitting, scope);
    if (fitting.read().clearEpoch() != merged.read().clearEpoch()) {
      session.log.warn(
          "More read marks than a document may hold: all are cleared, on every device");
      session.local.markChanged(SyncedField.READ);
    }
    if (fitting.authorPrefs().value().size() < merged.authorPrefs().value().size()) {
      session.log.info("More author preferences than a document may hold: the oldest are dropped");
      session.local.markChanged(SyncedField.AUTHOR_PREFS);
    }
    return fitting;
  }

  /** Clears the read marks of {@code fields} here and returns what is left, for a document that got too large. */
  SyncedFields clearRead(SyncedFields fields) {
    SyncedFields cleared = Caps.clearRead(fields, session.writerId, now());
    session.log.warn("The document is too large: all read marks are cleared, on every device");
    store(cleared, EnumSet.of(SyncedField.READ));
    session.local.markChanged(SyncedField.READ);
    return cleared;
  }

  private void store(SyncedFields fields, Set<SyncedField> scope) {
    Set<SyncedField> changed = session.local.apply(fields, scope);
    if (!changed.isEmpty()) {
      session.applied++;
      session.listener.applied(changed);
    }
  }

  private String now() {
    return Iso.text(session.clock.nowMillis());
  }
}
