package dev.syncguard.sync.engine;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.remote.SyncFailure;

/** When things last happened in this tab, on the monotonic clock. */
final class Tempo {

  static final long NEVER = Long.MAX_VALUE / 4;

  private static final long PERIOD = 600_000;
  private static final int PERIOD_JITTER = 60_001;
  private static final long HOLD = 30_000;

  private final Clocks clocks;
  private final Random random;
  private final Ladder networkPauses;
  private final Ladder conflictPauses;
  private final Ladder refusalPauses;
  private boolean writesFail;

  private long firstChange = -NEVER;
  private long lastChange = -NEVER;
  private boolean changeWaits;
  private long lastPush = -NEVER;
  private long lastReadOnlyPush = -NEVER;
  private long lastPull = -NEVER;
  private long nextPeriodicPull;
  private long retryAt = -NEVER;
  private long holdUntil = -NEVER;
  private long recovery = -NEVER;
  private int pushesSinceRecovery = Integer.MAX_VALUE;
  private long lastInput;

  Tempo(Clocks clocks, Random random) {
    this.clocks = clocks;
    this.random = random;
    this.networkPauses = new Ladder(random, 2_000, 5_000, 15_000, 60_000);
    this.conflictPauses = new Ladder(random, 1_000, 3_000, 10_000);
    this.refusalPauses = new Ladder(random, 60_000, 600_000, 3_600_000);
    this.lastInput = now();
    planPeriodicPull();
  }

  long now() {
    return clocks.monotonicMillis();
  }

  /** Takes note of a change that was made here. */
  void changed() {
    lastChange = now();
    firstChange = changeWaits ? firstChange : lastChange;
    changeWaits = true;
  }

  /** Takes note of a change in another tab. That tab will push it; we look after it if it is gone by then. */
  void changedElsewhere() {
    if (!changeWaits) {
      firstChange = now();
      lastChange = now() + Agenda.LONGEST_WAIT - Agenda.DEBOUNCE;
      changeWaits = true;
    }
  }

  /** Takes note that a push carried all changes up to its start; those made since begin to wait anew. */
  void pushStarted() {
    changeWaits = false;
  }

  /** Takes note that nothing is left to be pushed, whoever pushed it. */
  void nothingWaits() {
    changeWaits = false;
  }

  /** Takes note that the push came to nothing, so that its changes keep waiting. */
  void pushFailed() {
    changeWaits = true;
  }

  void pushed(boolean readOnly) {
    lastPush = now();
    lastReadOnlyPush = readOnly ? now() : lastReadOnlyPush;
    pushesSinceRecovery =
        pushesSinceRecovery == Integer.MAX_VALUE ? pushesSinceRecovery : pushesSinceRecovery + 1;
  }

  void pulled() {
    lastPull = now();
    planPeriodicPull();
  }

  void planPeriodicPull() {
    nextPeriodicPull = now() + PERIOD + random.below(PERIOD_JITTER);
  }

  /** Takes note of a request that worked. A read that works is no reason to hurry with a write that did not. */
  void worked(boolean write) {
    if (write || !writesFail) {
      forgetRetries();
    }
  }

  void failed(SyncFailure failure, boolean write) {
    writesFail |= write;
    boolean refused = failure == SyncFailure.TOO_LARGE || failure == SyncFailure.NO_DATABASE;
    Ladder pauses =
        failure == SyncFailure.CONFLICT ? conflictPauses : refused ? refusalPauses : networkPauses;
    retryAt = now() + pauses.next();
  }

  void forgetRetries() {
    networkPauses.reset();
    conflictPauses.reset();
    refusalPauses.reset();
    writesFail = false;
    retryAt = -NEVER;
  }

  void recovered() {
    recovery = now();
    pushesSinceRecovery = 0;
  }

  void holdLoadFrom() {
    holdUntil = now() + HOLD;
  }

  void releaseLoadFrom() {
    holdUntil = -NEVER;
  }

  void input() {
    lastInput = now();
  }

  long sinceInput() {
    return now() - lastInput;
  }

  long sinceFirstChange() {
    return changeWaits ? now() - firstChange : NEVER;
  }

  long sinceLastChange() {
    return changeWaits ? now() - lastChange : NEVER;
  }

  long sincePush() {
    return now() - lastPush;
  }

  long sinceReadOnlyPush() {
    return now() - lastReadOnlyPush;
  }

  long sincePull() {
    return now() - lastPull;
  }

  long untilPeriodicPull() {
    return nextPeriodicPull - now();
  }

  long retryWait() {
    return Math.max(retryAt - now(), 0);
  }

  int failures() {
    return networkPauses.failures() + conflictPauses.failures() + refusalPauses.failures();
  }

  long holdLeft() {
    return Math.max(holdUntil - now(), 0);
  }

  long sinceRecovery() {
    return now() - recovery;
  }

  int pushesSinceRecovery() {
    return pushesSinceRecovery;
  }
}
