package dev.syncguard.sync;

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
    return tempo.sinceInput() >= session.config.idleAfterMillis;
  }

  /** Returns whether no tab has pulled for a while. */
  boolean isStale() {
    return Math.min(tempo.sincePull(), sinceSharedPull()) > STALE;
  }

  /** Returns how things stand. */
  Situation now() {
    noticeRecovery();
    SyncMeta meta = session.local.meta();
    boolean ours = session.localIsOurs();
    // A push that was under way when the reader left may have said everything.
    parting &= meta.dirty();
    return new Situation(
        session.mayRead() && ours,
        session.mayWrite() && ours,
        meta.pendingReset() != null,
        visible && !isAway(),
        parting,
        urgent,
        pullWanted,
        Math.max(tempo.untilPeriodicPull(), PERIOD - sinceSharedPull()),
        dirty(meta),
        session.readRefused,
        tempo.holdLeft(),
        tempo.sinceFirstChange(),
        tempo.sinceLastChange(),
        Math.min(tempo.sincePush(), sinceSharedPush()),
        tempo.sinceReadOnlyPush(),
        tempo.retryWait(),
        session.quota.limited(),
        session.quota.waitMillis(),
        tempo.sinceRecovery(),
        tempo.pushesSinceRecovery(),
        session.quota.budget(),
        session.quota.untilTomorrowMillis());
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
  private void noticeRecovery() {
    boolean limited = session.quota.limited();
    if (wasLimited && !limited) {
      tempo.recovered();
    }
    wasLimited = limited;
  }

  private long sinceSharedPull() {
    return session.tabs == null ? Tempo.NEVER : age(session.tabs.lastPullAt());
  }

  private long sinceSharedPush() {
    return session.tabs == null ? Tempo.NEVER : age(session.tabs.lastPushAt());
  }

  // What lies in the future was written under another clock.
  private long age(@Nullable Long wallMillis) {
    long age = wallMillis == null ? Tempo.NEVER : session.time.wallMillis() - wallMillis;
    return age < -OTHER_CLOCK ? Tempo.NEVER : Math.max(age, 0);
  }
}
