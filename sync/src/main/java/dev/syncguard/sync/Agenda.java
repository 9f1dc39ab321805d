package dev.syncguard.sync;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what sync does next and when: all gates and throttles in one pure function.
 *
 * <p>An unfinished reset comes before everything else. In a cooldown there is nothing but the probe that may end it. After
 * that, whatever is due first: a pull that somebody wants, a push of what changed, or the periodic pull.
 */
final class Agenda {

  static final long DEBOUNCE = 8_000;
  static final long LONGEST_WAIT = 30_000;
  static final long RARE = 600_000;

  private static final long[] RAMP = {0, 60_000, 30_000, 15_000};

  /** Something to do. */
  enum Work {
    REPLAY_RESET,
    PULL,
    PUSH
  }

  /**
   * Something to do and when.
   *
   * @param scope the fields to push; all but those that are held back
   * @param readOnly whether nothing but read marks asks for the push
   * @param probe whether it shows if a cooldown is over
   */
  record Step(Work work, long delay, Set<SyncedField> scope, boolean readOnly, boolean probe) {}

  private final Situation now;
  private final SyncConfig config;

  private Agenda(Situation now, SyncConfig config) {
    this.now = now;
    this.config = config;
  }

  /** Returns the next step, or null if there is none until something happens. */
  static @Nullable Step next(Situation now, SyncConfig config) {
    return now.mayRead() ? new Agenda(now, config).next() : null;
  }

  private @Nullable Step next() {
    if (now.resetPending()) {
      return now.mayWrite() ? replay() : null;
    }
    if (now.quotaLimited()) {
      long delay = Math.max(now.quotaWait(), now.retryWait());
      return now.present() ? step(Work.PULL, delay, true) : null;
    }
    Step pull = null;
    if (now.pullWanted()) {
      pull = step(Work.PULL, now.retryWait(), false);
    } else if (now.present()) {
      pull = step(Work.PULL, now.pullDueIn(), false);
    }
    Step push = push();
    return pull == null || (push != null && push.delay() < pull.delay()) ? push : pull;
  }

  private Step replay() {
    long delay = Math.max(now.quotaWait(), now.retryWait());
    if (now.budget() == Quota.Budget.SPENT) {
      delay = Math.max(delay, RARE - now.pushAge());
    }
    return step(Work.REPLAY_RESET, delay, now.quotaLimited());
  }

  private @Nullable Step push() {
    boolean wanted = now.present() || now.parting() || now.urgent();
    EnumSet<SyncedField> withheld = withheld();
    Set<SyncedField> due = EnumSet.noneOf(SyncedField.class);
    due.addAll(now.dirty());
    due.removeAll(withheld);
    if (!now.mayWrite() || !wanted || due.isEmpty()) {
      return null;
    }
    boolean readOnly = due.size() == 1 && due.contains(SyncedField.READ);
    long delay = Math.max(now.retryWait(), config.writeFloorMillis - now.pushAge());
    if (now.pushesSinceRecovery() < RAMP.length) {
      delay = Math.max(delay, RAMP[now.pushesSinceRecovery()] - now.pushAge());
      if (readOnly && now.pushesSinceRecovery() == 0) {
        delay = Math.max(delay, config.readOnlyWindowMillis - now.recoveryAge());
      }
    }
    if (now.budget() == Quota.Budget.SPENT) {
      delay = Math.max(delay, now.untilTomorrow());
    } else if (now.budget() == Quota.Budget.LOW && !now.parting()) {
      delay = Math.max(delay, RARE - now.pushAge());
    }
    if (!now.parting() && !now.urgent()) {
      delay = Math.max(
          delay, Math.min(DEBOUNCE - now.lastChangeAge(), LONGEST_WAIT - now.firstChangeAge()));
      delay =
          readOnly ? Math.max(delay, config.readOnlyWindowMillis - now.readOnlyPushAge()) : delay;
    }
    if (due.contains(SyncedField.LOAD_FROM)) {
      delay = Math.max(delay, now.holdLoadFrom());
    }
    return new Step(Work.PUSH, Math.max(delay, 0), EnumSet.complementOf(withheld), readOnly, false);
  }

  /** Returns the fields that must wait although others go. */
  private EnumSet<SyncedField> withheld() {
    EnumSet<SyncedField> withheld = EnumSet.noneOf(SyncedField.class);
    if (now.readRefused()) {
      withheld.add(SyncedField.READ);
    }
    if (now.dirty().size() > 1 && now.holdLoadFrom() > 0) {
      // "Whatever is recent" becomes a date as soon as the feed is loaded; pushed before, it could
      // never be undone.
      withheld.add(SyncedField.LOAD_FROM);
    }
    boolean moreImportant = now.dirty().contains(SyncedField.AUTHOR_PREFS)
        || (now.dirty().contains(SyncedField.LOAD_FROM)
            && !withheld.contains(SyncedField.LOAD_FROM));
    if (moreImportant && now.pushesSinceRecovery() == 0) {
      // Right after a cooldown, what matters most goes first and the bulk follows.
      withheld.add(SyncedField.READ);
    }
    return withheld;
  }

  private static Step step(Work work, long delay, boolean probe) {
    return new Step(work, Math.max(delay, 0), Set.of(), false, probe);
  }
}
