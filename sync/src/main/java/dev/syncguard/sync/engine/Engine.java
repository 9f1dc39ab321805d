package dev.syncguard.sync.engine;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.StartOutcome;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.Timers;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.local.Transfer;
import dev.syncguard.sync.remote.SyncFailure;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.state.Ticket;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One state machine that starts, pulls, merges, pushes what changed, and resets.
 *
 * <p>It never blocks, and nothing it does wrong reaches the reader. What its methods promise is said in
 * {@code PersistenceSync}, the door to it. Used by one thread.
 */
public final class Engine {

  // How it works: at most one Activity is under way. Whatever happens, plan() asks the Agenda
  // what to do next, and either begins that or sets the one timer. An activity tells the Session
  // how it went and ends in plan() again. Switching off and resetting make the runs before them
  // come to nothing, wherever they are.

  private static final long STARTUP_BUDGET = 5_000;

  private final Session session;
  private final Tempo tempo;
  private final Identification identification;
  private final StatusBoard board;
  private final Surroundings around;
  private final Waiters waiters;
  private final Activity activity;
  private final Mending mending;
  private final ReaderChanges changes = new Changed();

  private boolean started;
  private boolean stopped;
  private Timers.@Nullable Timer timer;
  private @Nullable ResetFlow reset;

  /** Nothing is sent before {@link #start} or {@link #reset}. */
  public Engine(SessionSettings settings, SyncPorts ports) {
    session = new Session(settings, ports);
    tempo = session.tempo;
    identification = new Identification(session, ports.forum(), ports.exclusion());
    board = new StatusBoard(session);
    around = new Surroundings(session);
    waiters = new Waiters(session);
    activity = new Activity(session, around, waiters, this::plan);
    mending = new Mending(session, this::mended);
    session.onCrash(this::crashed);
    session.safely(session.local::state);
    ports.values().onForeignChange(key -> session.safely(() -> changedElsewhere(key)));
  }

  /** Returns what this device stores. */
  public LocalStore local() {
    return session.local;
  }

  /** Returns a ticket for a change that the reader makes now. */
  public Ticket ticket() {
    return session.ticket();
  }

  /** Returns who must hear of the reader's changes. */
  public ReaderChanges changes() {
    return changes;
  }

  /**
   * Starts.
   *
   * @param known what the forum has said of who is reading, or null to ask it
   * @param ready called once, after at most five seconds, when the reader can be shown
   */
  public void start(ForumIdentity.@Nullable Answer known, Consumer<StartOutcome> ready) {
    if (started) {
      throw new IllegalStateException(
          "Sync can only be started once; make a new one for a new session");
    }
    started = true;
    waiters.awaitStart(STARTUP_BUDGET, ready);
    if (session.local.loadFrom().equals(Limits.LOAD_RECENT)) {
      tempo.holdLoadFrom();
    }
    session.safely(() -> identify(known));
  }

  private void identify(ForumIdentity.@Nullable Answer known) {
    if (session.settings.project == null || !session.local.enabled()) {
      session.mode = session.settings.project == null ? Session.Mode.UNAVAILABLE : session.mode;
      activity.end();
      return;
    }
    activity.begin(Activity.Kind.IDENTIFYING);
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
    activity.end();
  }

  public void reset(Consumer<ResetOutcome> done) {
    cancelEverything();
    activity.begin(Activity.Kind.RESETTING);
    reset = new ResetFlow(session, identification, outcome -> {
      activity.end();
      session.tell(() -> done.accept(outcome));
    });
    session.safely(reset::start);
  }

  public void pull(Runnable done) {
    waiters.awaitPull(done);
    around.pullWanted = true;
    session.safely(this::plan);
  }

  public void flush(Runnable done) {
    waiters.awaitPush(done);
    around.urgent = true;
    session.hurries++;
    session.safely(this::plan);
  }

  public void stop() {
    stopped = true;
    mending.stop();
    cancelEverything();
    waiters.tell(null);
  }

  public boolean isEnabled() {
    return session.local.enabled();
  }

  public void setEnabled(boolean enabled) {
    session.local.setEnabled(enabled);
    session.safely(this::switched);
  }

  private void switched() {
    if (activity.is(Activity.Kind.RESETTING)) {
      return;
    }
    cancelEverything();
    if (!session.local.enabled() || !started) {
      activity.end();
    } else if (session.node == null && session.mode != Session.Mode.IDENTITY_DENIED) {
      identify(null);
    } else {
      around.pullWanted = true;
      activity.end();
    }
  }

  public void pageVisible() {
    around.visible = true;
    around.parting = false;
    returned();
  }

  public void pageHidden() {
    around.parting = started && around.visible && session.local.meta().dirty();
    around.visible = false;
    session.hurries++;
    session.safely(this::plan);
  }

  public void pageFocused() {
    returned();
  }

  public void userActive() {
    boolean wasAway = around.isAway();
    tempo.input();
    if (wasAway) {
      returned();
    }
  }

  private void returned() {
    tempo.input();
    around.pullWanted |=
        activity.hydrated() && !activity.is(Activity.Kind.PULLING) && around.isStale();
    session.safely(this::plan);
  }

  public String exportState() {
    return Transfer.export(session.local.state());
  }

  public Optional<String> backup() {
    return Optional.ofNullable(session.local.backup());
  }

  public void importState(String json) {
    UnaryOperator<DeviceState> change = Transfer.read(json, session.local.now());
    if (!session.local.commit(session.ticket(), change)) {
      session.noticeOtherUser();
      throw new IllegalStateException("Nothing was imported: reload the page first");
    }
    changes.changed();
  }

  public SyncStatus status() {
    boolean starting = started
        && (activity.is(Activity.Kind.IDENTIFYING)
            || (!activity.hydrated() && waiters.startAwaited()));
    return board.status(starting, !activity.is(Activity.Kind.IDLE));
  }

  public String debugSummary() {
    return DebugSummary.of(session, status());
  }

  /** Asks what to do next, and does it or waits for it. */
  private void plan() {
    cancelTimer();
    if (!activity.is(Activity.Kind.IDLE) || stopped) {
      return;
    }
    session.noticeOtherUser();
    Agenda.Step step =
        started && session.local.enabled() ? Agenda.next(around.now(), session.settings) : null;
    if (waiters.tell(step)) {
      around.urgent = false;
    }
    if (step != null && step.delay() == 0) {
      activity.begin(step);
    } else if (step != null) {
      timer = session.timers.schedule(step.delay(), () -> session.safely(this::plan));
    }
    board.announce(status());
  }

  private void crashed() {
    if (activity.is(Activity.Kind.RESETTING) && reset != null) {
      activity.abandon();
      reset.postpone();
    } else if (!activity.is(Activity.Kind.IDLE)) {
      activity.abandon();
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
    activity.abandon();
    session.cancelAll();
    cancelTimer();
    tempo.forgetRetries();
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Hears of the reader's changes. */
  private final class Changed implements ReaderChanges {
    @Override
    public void changed() {
      tempo.changed();
      session.safely(Engine.this::plan);
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
      session.safely(Engine.this::plan);
    }
  }
}
