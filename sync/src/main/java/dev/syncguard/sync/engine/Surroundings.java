package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Iso;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the page, the clock, the stores and the other tabs say, put together for the {@link Agenda}. */
final class Surroundings {

  private static final long STALE = 120_000;
  private static final long PERIOD = 600_000;
  private static final long OTHER_CLOCK = 5_000;

  private final Session session;
  private final Tempo tempo;
  private boolean wasLimited;

  boolean visible = true;
  boolean parting;
  boolean urgent;
  boolean pullWanted;

  Surroundings(Session session) {
    this.session = session;
    this.tempo = session.tempo;
  }

  boolean isAway() {
    return tempo.sinceInput() >= session.settings.idleAfterMillis;
  }

  /** Returns whether no tab has pulled for a while. */
  boolean isStale() {
    return Math.min(tempo.sincePull(), sinceSharedPull()) > STALE;
  }

  /** Takes note of a push. One that was under way when the reader left has taken along what they had said by then. */
  void pushed() {
    if (session.hurriesServed == session.hurries) {
      parting = false;
      urgent = false;
    }
  }

  /** Returns how things stand. */
  Situation now() {
    noticeRecovery();
    SyncMeta meta = session.local.meta();
    boolean ours = session.localIsOurs();
    if (!meta.dirty()) {
      // A push that was under way when the reader left, or another tab's, has said everything.
      parting = false;
      tempo.nothingWaits();
    }
    return new Situation(
        new Situation.Permission(
            session.mayRead() && ours, session.mayWrite() && ours, meta.pendingReset() != null),
        new Situation.Presence(visible && !isAway(), parting, urgent),
        new Situation.Pulls(
            pullWanted, Math.max(tempo.untilPeriodicPull(), PERIOD - sinceSharedPull())),
        new Situation.Changes(
            dirty(meta),
            tempo.holdLeft(),
            tempo.sinceFirstChange(),
            Math.min(tempo.sinceLastChange(), sinceChangeAnywhere(meta))),
        new Situation.Pace(
            sincePush(),
            sinceReadOnlyPush(),
            session.quota.busyMillis(),
            tempo.retryWait(),
            session.quota.budget(),
            session.quota.untilTomorrowMillis()),
        new Situation.Cooldown(
            session.quota.limited(),
            session.quota.waitMillis(),
            session.quota.writesRefused(),
            tempo.sinceRecovery(),
            tempo.pushesSinceRecovery()));
  }

  private long sincePush() {
    long shared = session.tabs == null ? Tempo.NEVER : age(session.tabs.lastPushAt());
    return Math.min(Math.min(tempo.sincePush(), shared), age(session.quota.lastPushAt()));
  }

  // Where values are late, tabs overwrite each other's quota meta.
  private long sinceReadOnlyPush() {
    long shared = session.tabs == null ? Tempo.NEVER : age(session.tabs.lastReadOnlyPushAt());
    return Math.min(
        Math.min(tempo.sinceReadOnlyPush(), shared), age(session.quota.lastReadOnlyPushAt()));
  }

  // The reader may go on in another tab; whoever pushes waits for that too.
  private long sinceChangeAnywhere(SyncMeta meta) {
    long youngest = Tempo.NEVER;
    for (SyncedField field : dirty(meta)) {
      long changed = Iso.millis(meta.field(field).updatedAt());
      youngest = Math.min(youngest, changed == Iso.NONE ? Tempo.NEVER : age(changed));
    }
    return youngest;
  }

  private Set<SyncedField> dirty(SyncMeta meta) {
    Set<SyncedField> dirty = EnumSet.noneOf(SyncedField.class);
    for (SyncedField field : SyncedField.values()) {
      if (meta.field(field).dirty()) {
        dirty.add(field);
      }
    }
    return dirty;
  }

  // Another tab may be the one that saw the server recover.
  void noticeRecovery() {
    boolean limited = session.quota.limited();
    if (wasLimited && !limited) {
      tempo.recovered();
    }
    wasLimited = limited;
  }

  private long sinceSharedPull() {
    return session.tabs == null ? Tempo.NEVER : age(session.tabs.lastPullAt());
  }

  // What lies in the future was written under another clock.
  private long age(@Nullable Long wallMillis) {
    long age = wallMillis == null ? Tempo.NEVER : session.clocks.wallMillis() - wallMillis;
    return age < -OTHER_CLOCK ? Tempo.NEVER : Math.max(age, 0);
  }
}
