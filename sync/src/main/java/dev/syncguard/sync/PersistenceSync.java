package dev.syncguard.sync;

import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a reader's state equal on all of their devices: one state machine that starts, pulls, merges, pushes what
 * changed, and resets.
 *
 * <p>One instance lives as long as one tab, or one run of a program. It never blocks, and nothing it does wrong reaches
 * the reader: without a network, a secret or an account the {@linkplain #reader reader's state} works all the same. Used
 * by one thread.
 */
public final class PersistenceSync {

  // How it works: at most one run is under way. Whatever happens, plan() asks the Agenda what to do
  // next, and either starts that run or sets the one timer. A run tells the Session how it went and
  // ends in plan() again. Switching off and resetting make the runs before them come to nothing,
  // wherever they are.

  private static final long STARTUP_BUDGET = 5_000;

  private enum Activity {
    IDLE,
    IDENTIFYING,
    PULLING,
    PUSHING,
    REPLAYING,
    RESETTING
  }

  private final Session session;
  private final Tempo tempo;
  private final Identification identification;
  private final ReaderState reader;
  private final StatusBoard board;
  private final Surroundings around;
  private final Waiters waiters;
  private final Mending mending;

  private Activity activity = Activity.IDLE;
  private boolean started;
  private boolean stopped;
  private boolean hydrated;
  private Timers.@Nullable Timer timer;
  private @Nullable ResetFlow reset;

  /** Creates the engine. Nothing is sent before {@link #start} or {@link #reset}. */
  public PersistenceSync(SyncConfig config, SyncPorts ports) {
    session = new Session(config.settings, ports);
    tempo = session.tempo;
    identification = new Identification(session, ports.forum(), ports.exclusion());
    reader = new ReaderState(session.local, session::ticket, new Changed());
    board = new StatusBoard(session);
    around = new Surroundings(session);
    waiters = new Waiters(session);
    mending = new Mending(session, this::mended);
    session.onCrash(this::crashed);
    session.safely(session.local::state);
    ports.values().onForeignChange(key -> session.safely(() -> changedElsewhere(key)));
  }

  /** Returns the state of the reader on this device. */
  public ReaderState reader() {
    return reader;
  }

  /**
   * Finds out who is reading, brings in what other devices know, and keeps syncing.
   *
   * @param ready called once, after at most five seconds, when the reader can be shown
   */
  public void start(Consumer<StartOutcome> ready) {
    begin(null, ready);
  }

  /** Does the same for a page that has already asked the forum who is reading. */
  public void start(ForumIdentity.Answer known, Consumer<StartOutcome> ready) {
    begin(known, ready);
  }

  private void begin(ForumIdentity.@Nullable Answer known, Consumer<StartOutcome> ready) {
    if (started) {
      throw new IllegalStateException(
          "Sync can only be started once; make a new one for a new session");
    }
    started = true;
    waiters.awaitStart(STARTUP_BUDGET, ready);
    if (reader.loadFrom().equals(ReaderState.LOAD_RECENT)) {
      tempo.holdLoadFrom();
    }
    session.safely(() -> identify(known));
  }

  private void identify(ForumIdentity.@Nullable Answer known) {
    if (session.settings.project == null || !session.local.enabled()) {
      session.mode = session.settings.project == null ? Session.Mode.UNAVAILABLE : session.mode;
      idle();
      return;
    }
    activity = Activity.IDENTIFYING;
    session.mode = Session.Mode.STARTING;
    board.announce(status());
    identification.find(known, true, this::identified);
  }

  private void identified(Identification.Result result) {
    if (result instanceof Identification.Reader known) {
      session.identify(known.userId(), known.node());
      session.mode = known.node() == null ? Session.Mode.UNAVAILABLE : Session.Mode.ACTIVE;
      around.pullWanted = true;
    } else if (result instanceof Identification.Nobody nobody) {
      session.mode = nobody.because();
    }
    idle();
  }

  /**
   * Empties the reader's state here and, at once or as soon as possible, everywhere. Started or not, switched on or off:
   * this is what {@code /reader/reset} does, and afterwards the page must be loaded anew.
   */
  public void reset(Consumer<ResetOutcome> done) {
    cancelEverything();
    activity = Activity.RESETTING;
    reset = new ResetFlow(session, identification, outcome -> {
      idle();
      session.tell(() -> done.accept(outcome));
    });
    session.safely(reset::start);
  }

  /** Pulls now if that is allowed, whatever the age of the last pull, and says when it is over. */
  public void pull(Runnable done) {
    waiters.awaitPull(done);
    around.pullWanted = true;
    session.safely(this::plan);
  }

  /**
   * Pushes what has changed without waiting for more changes, as soon as limits and quotas allow, and says when that
   * push is over or when there will be none for now.
   */
  public void flush(Runnable done) {
    waiters.awaitPush(done);
    around.urgent = true;
    session.safely(this::plan);
  }

  /** Stops all timers and ignores what is still under way. Unpushed changes stay marked for the next session. */
  public void stop() {
    stopped = true;
    mending.stop();
    cancelEverything();
    waiters.tell(null);
  }

  /** Returns whether the reader has left sync switched on. */
  public boolean isEnabled() {
    return session.local.enabled();
  }

  /** Switches sync on or off, now and for later sessions. Nothing is deleted, unpushed changes are kept. */
  public void setEnabled(boolean enabled) {
    session.local.setEnabled(enabled);
    session.safely(this::switched);
  }

  private void switched() {
    if (activity == Activity.RESETTING) {
      return;
    }
    cancelEverything();
    if (!session.local.enabled() || !started) {
      idle();
    } else if (session.node == null && session.mode != Session.Mode.IDENTITY_DENIED) {
      identify(null);
    } else {
      around.pullWanted = true;
      idle();
    }
  }

  /** Says that the page can be seen. */
  public void pageVisible() {
    around.visible = true;
    around.parting = false;
    returned();
  }

  /** Says that the page can no longer be seen, perhaps for good; or, before the start, that it cannot be seen yet. */
  public void pageHidden() {
    around.parting = started && around.visible && session.local.meta().dirty();
    around.visible = false;
    session.safely(this::plan);
  }

  /** Says that the window got the focus. */
  public void pageFocused() {
    returned();
  }

  /** Says that the reader did something: moved, scrolled, typed. */
  public void userActive() {
    boolean wasAway = around.isAway();
    tempo.input();
    if (wasAway) {
      returned();
    }
  }

  private void returned() {
    tempo.input();
    around.pullWanted |= hydrated && activity != Activity.PULLING && around.isStale();
    session.safely(this::plan);
  }

  /** Returns the state of the reader as a JSON object, without anything that belongs to sync. */
  public String exportState() {
    return Transfer.export(session.local.state());
  }

  /**
   * Returns what was kept of the reader's state when marks had to be cleared here, as {@link #exportState} would have
   * said it then.
   */
  public Optional<String> backup() {
    return Optional.ofNullable(session.local.backup());
  }

  /**
   * Replaces the parts of the reader's state that {@code json} holds and marks them for the next push.
   *
   * @throws IllegalArgumentException if any of it is wrong; then nothing has changed
   * @throws IllegalStateException if somebody else is reading by now; then nothing has changed
   */
  public void importState(String json) {
    UnaryOperator<DeviceState> change = Transfer.read(json, session.local.now());
    if (!session.local.commit(session.ticket(), change)) {
      session.noticeOtherUser();
      throw new IllegalStateException("Nothing was imported: reload the page first");
    }
    new Changed().changed();
  }

  /** Returns how sync is doing right now. */
  public SyncStatus status() {
    boolean starting =
        started && (activity == Activity.IDENTIFYING || (!hydrated && waiters.startAwaited()));
    return board.status(starting, activity != Activity.IDLE);
  }

  /** Returns some lines for a bug report, without anything that must stay secret. */
  public String debugSummary() {
    return DebugSummary.of(session, status());
  }

  /** Asks what to do next, and does it or waits for it. */
  private void plan() {
    cancelTimer();
    if (activity != Activity.IDLE || stopped) {
      return;
    }
    session.noticeOtherUser();
    Agenda.Step step =
        started && session.local.enabled() ? Agenda.next(around.now(), session.settings) : null;
    if (waiters.tell(step)) {
      around.urgent = false;
    }
    if (step != null && step.delay() == 0) {
      run(step);
    } else if (step != null) {
      timer = session.timers.schedule(step.delay(), () -> session.safely(this::plan));
    }
    board.announce(status());
  }

  private void run(Agenda.Step step) {
    if (step.probe()) {
      session.quota.takeProbe();
    }
    switch (step.work()) {
      case REPLAY_RESET -> {
        activity = Activity.REPLAYING;
        // What a crashed tab has left of the clearing must not be pushed as if it came after it.
        SyncMeta meta = session.local.state().meta();
        Ticket ticket = session.ticket();
        new ResetRun(session, ticket, meta.pendingReset(), this::replayed).start();
      }
      case PULL -> {
        activity = Activity.PULLING;
        around.pullWanted = false;
        int appliedBefore = session.applied;
        new PullRun(session, success -> pulled(success, session.applied > appliedBefore))
            .start(hydrated);
      }
      case PUSH -> {
        activity = Activity.PUSHING;
        around.parting = false;
        around.urgent = false;
        tempo.pushStarted();
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
    idle();
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
      session.askOperator(this::plan);
    } else {
      tempo.planPeriodicPull();
      // Until the first success nothing is known here, so do not wait for the next occasion.
      around.pullWanted |= !hydrated && session.mayRead();
    }
    waiters.pullIsOver();
    idle();
  }

  private void pushed(PushRun.End end, boolean readOnly) {
    session.quota.endPush();
    if (end == PushRun.End.PUSHED) {
      // A push that has ended a cooldown is the first one after it.
      around.noticeRecovery();
      tempo.pushed(readOnly);
      session.quota.countPush(readOnly);
    } else if (end == PushRun.End.FAILED) {
      tempo.pushFailed();
    }
    waiters.pushIsOver();
    idle();
  }

  private void idle() {
    activity = Activity.IDLE;
    plan();
  }

  private void crashed() {
    if (activity == Activity.RESETTING && reset != null) {
      activity = Activity.IDLE;
      reset.postpone();
    } else if (activity != Activity.IDLE) {
      if (activity == Activity.PUSHING) {
        session.quota.endPush();
      }
      activity = Activity.IDLE;
      session.saw(null);
      session.failed(SyncFailure.NETWORK, false);
      tempo.pushFailed();
      session.safely(this::plan);
    } else {
      // Not even a plan could be made, so nothing comes until something happens.
      waiters.tell(null);
    }
  }

  private void mended() {
    session.listener.applied(LocalMerge.ALL);
    tempo.changed();
    plan();
  }

  private void changedElsewhere(String key) {
    if (key.equals(session.local.keys.enabled)) {
      switched();
      return;
    }
    session.obeyOperator();
    mending.heard();
    SyncedField field = session.local.keys.fieldOf(key);
    if (field != null) {
      session.listener.applied(EnumSet.of(field));
    } else if (key.equals(session.local.keys.meta) && session.local.meta().dirty()) {
      tempo.changedElsewhere();
    }
    plan();
  }

  private void cancelEverything() {
    if (activity == Activity.PUSHING) {
      session.quota.endPush();
    }
    session.cancelAll();
    cancelTimer();
    tempo.forgetRetries();
    activity = Activity.IDLE;
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Hears of the reader's changes. */
  private final class Changed implements ReaderState.Changes {
    @Override
    public void changed() {
      tempo.changed();
      session.safely(PersistenceSync.this::plan);
    }

    @Override
    public void refused() {
      if (session.localIsOurs()) {
        session.listener.notice("Reset in another tab: this change was not kept.");
      }
      session.noticeOtherUser();
      board.announce(status());
    }

    @Override
    public void recentChosen() {
      tempo.holdLoadFrom();
    }

    @Override
    public void recentServed() {
      tempo.releaseLoadFrom();
      session.safely(PersistenceSync.this::plan);
    }
  }
}
