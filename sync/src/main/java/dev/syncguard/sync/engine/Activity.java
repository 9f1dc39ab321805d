package dev.syncguard.sync.engine;

import dev.syncguard.sync.StartOutcome;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.Ticket;

/** What the engine does at the moment: one thing, from its beginning to what follows from its end. */
final class Activity {

  enum Kind {
    IDLE,
    IDENTIFYING,
    PULLING,
    PUSHING,
    REPLAYING,
    RESETTING
  }

  private final Session session;
  private final Surroundings around;
  private final Waiters waiters;
  private final Runnable plan;
  private Kind kind = Kind.IDLE;
  private boolean hydrated;

  /** @param plan asks what to do next */
  Activity(Session session, Surroundings around, Waiters waiters, Runnable plan) {
    this.session = session;
    this.around = around;
    this.waiters = waiters;
    this.plan = plan;
  }

  boolean is(Kind what) {
    return kind == what;
  }

  /** Returns whether the remote state has been here once in this session. */
  boolean hydrated() {
    return hydrated;
  }

  void begin(Kind what) {
    kind = what;
  }

  /** Takes note that what was done is over, whatever became of it. */
  void end() {
    kind = Kind.IDLE;
    plan.run();
  }

  /** Takes note that nothing comes of what was done; whoever was doing it is stopped elsewhere. */
  void abandon() {
    if (kind == Kind.PUSHING) {
      session.quota.endPush();
    }
    kind = Kind.IDLE;
  }

  /** Begins what the agenda asks for. */
  void begin(Agenda.Step step) {
    if (step.probe()) {
      session.quota.takeProbe();
    }
    switch (step.work()) {
      case REPLAY_RESET -> {
        kind = Kind.REPLAYING;
        // What a crashed tab has left of the clearing must not be pushed as if it came after it.
        SyncMeta meta = session.local.state().meta();
        Ticket ticket = session.ticket();
        new ResetRun(session, ticket, meta.pendingReset(), this::replayed).start();
      }
      case PULL -> {
        kind = Kind.PULLING;
        around.pullWanted = false;
        int appliedBefore = session.applied;
        new PullRun(session, success -> pulled(success, session.applied > appliedBefore))
            .start(hydrated);
      }
      case PUSH -> {
        kind = Kind.PUSHING;
        around.parting = false;
        around.urgent = false;
        session.tempo.pushStarted();
        session.quota.beginPush();
        new PushRun(session, step.scope(), end -> pushed(end, step.readOnly())).start();
      }
    }
  }

  private void replayed(ResetRun.Result result) {
    if (result instanceof ResetRun.Written written) {
      Resets.written(session.local, written.ticket(), written.cleared(), null);
      session.nodeIsInUse();
    } else if (result instanceof ResetRun.Stands stands) {
      Resets.stands(session.local, stands.ticket());
    }
    around.pullWanted |= !(result instanceof ResetRun.Failed);
    end();
  }

  private void pulled(boolean success, boolean changed) {
    if (success && !hydrated) {
      hydrated = true;
      if (changed && !waiters.startAwaited()) {
        session.listener.notice("Synced state applied");
      }
      waiters.started(StartOutcome.HYDRATED);
    }
    if (success) {
      session.askOperator(plan);
    } else {
      session.tempo.planPeriodicPull();
      // Until the first success nothing is known here, so do not wait for the next occasion.
      around.pullWanted |= !hydrated && session.mayRead();
    }
    waiters.pullIsOver();
    end();
  }

  private void pushed(PushRun.End end, boolean readOnly) {
    session.quota.endPush();
    if (end == PushRun.End.PUSHED) {
      // A push that has ended a cooldown is the first one after it.
      around.noticeRecovery();
      session.tempo.pushed(readOnly);
      session.quota.countPush(readOnly);
      around.pushed();
      if (session.tabs != null && readOnly) {
        session.tabs.pushedReadOnlyAt(session.clocks.wallMillis());
      }
    } else if (end == PushRun.End.FAILED) {
      session.tempo.pushFailed();
    }
    waiters.pushIsOver();
    end();
  }
}
