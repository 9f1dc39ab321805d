package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.remote.Quota;
import dev.syncguard.sync.state.SessionSettings;
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
  private final SessionSettings settings;

  private Agenda(Situation now, SessionSettings settings) {
    this.now = now;
    this.settings = settings;
  }

  /** Returns the next step, or null if there is none until something happens. */
  static @Nullable Step next(Situation now, SessionSettings settings) {
    return now.permission().read() ? new Agenda(now, settings).next() : null;
  }

  private @Nullable Step next() {
    if (now.permission().resetPending()) {
      return now.permission().write() ? replay() : null;
    }
    Step push = push();
    if (now.cooldown().limited()) {
      return probe(push);
    }
    Step pull = null;
    if (now.pulls().wanted()) {
      pull = step(Work.PULL, now.pace().retryWait(), false);
    } else if (now.presence().here()) {
      pull = step(Work.PULL, now.pulls().dueIn(), false);
    }
    return pull == null || (push != null && push.delay() < pull.delay()) ? push : pull;
  }

  private Step replay() {
    long delay = Math.max(now.cooldown().timeLeft(), now.pace().retryWait());
    delay = Math.max(delay, now.pace().otherTabBusy());
    if (now.pace().budget() == Quota.Budget.SPENT) {
      delay = Math.max(delay, RARE - now.pace().pushAge());
    }
    return step(Work.REPLAY_RESET, delay, now.cooldown().limited());
  }

  /** Returns what shows whether a cooldown is over: a read proves nothing about refused writes. */
  private @Nullable Step probe(@Nullable Step push) {
    if (now.cooldown().writesRefused() && push != null) {
      long delay = Math.max(push.delay(), now.cooldown().timeLeft());
      return new Step(Work.PUSH, delay, push.scope(), push.readOnly(), true);
    }
    long delay = Math.max(now.cooldown().timeLeft(), now.pace().retryWait());
    return now.presence().here() ? step(Work.PULL, delay, true) : null;
  }

  private @Nullable Step push() {
    Situation.Presence presence = now.presence();
    boolean wanted = presence.here() || presence.parting() || presence.urgent();
    EnumSet<SyncedField> withheld = withheld();
    Set<SyncedField> due = EnumSet.noneOf(SyncedField.class);
    due.addAll(now.changes().dirty());
    due.removeAll(withheld);
    if (!now.permission().write() || !wanted || due.isEmpty()) {
      return null;
    }
    boolean readOnly = due.size() == 1 && due.contains(SyncedField.READ);
    long delay =
        Math.max(now.pace().retryWait(), settings.writeFloorMillis - now.pace().pushAge());
    delay = Math.max(Math.max(delay, now.pace().otherTabBusy()), ramp(readOnly));
    if (now.pace().budget() == Quota.Budget.SPENT) {
      delay = Math.max(delay, now.pace().untilTomorrow());
    } else if (now.pace().budget() == Quota.Budget.LOW && !presence.parting()) {
      delay = Math.max(delay, RARE - now.pace().pushAge());
    }
    if (!presence.parting() && !presence.urgent()) {
      delay = Math.max(delay, patience(readOnly));
    }
    if (due.contains(SyncedField.LOAD_FROM)) {
      delay = Math.max(delay, now.changes().holdLoadFrom());
    }
    return new Step(Work.PUSH, Math.max(delay, 0), EnumSet.complementOf(withheld), readOnly, false);
  }

  /** Returns how long to wait for more changes to take along. */
  private long patience(boolean readOnly) {
    long wait = Math.min(
        DEBOUNCE - now.changes().lastAge(), LONGEST_WAIT - now.changes().firstAge());
    return readOnly
        ? Math.max(wait, settings.readOnlyWindowMillis - now.pace().readOnlyPushAge())
        : wait;
  }

  /** Returns the wait between the first pushes after a cooldown. */
  private long ramp(boolean readOnly) {
    int pushes = now.cooldown().pushesSinceRecovery();
    if (pushes >= RAMP.length) {
      return 0;
    }
    long wait = RAMP[pushes] - now.pace().pushAge();
    return readOnly && pushes == 0
        ? Math.max(wait, settings.readOnlyWindowMillis - now.cooldown().recoveryAge())
        : wait;
  }

  /** Returns the fields that must wait although others go. */
  private EnumSet<SyncedField> withheld() {
    EnumSet<SyncedField> withheld = EnumSet.noneOf(SyncedField.class);
    Set<SyncedField> dirty = now.changes().dirty();
    if (dirty.size() > 1 && now.changes().holdLoadFrom() > 0) {
      // "Whatever is recent" becomes a date as soon as the feed is loaded; pushed before, it could
      // never be undone.
      withheld.add(SyncedField.LOAD_FROM);
    }
    boolean moreImportant = dirty.contains(SyncedField.AUTHOR_PREFS)
        || (dirty.contains(SyncedField.LOAD_FROM) && !withheld.contains(SyncedField.LOAD_FROM));
    boolean recovering = now.cooldown().limited() || now.cooldown().pushesSinceRecovery() == 0;
    if (moreImportant && recovering) {
      // Right after a cooldown, what matters most goes first and the bulk follows.
      withheld.add(SyncedField.READ);
    }
    return withheld;
  }

  private static Step step(Work work, long delay, boolean probe) {
    return new Step(work, Math.max(delay, 0), Set.of(), false, probe);
  }
}
