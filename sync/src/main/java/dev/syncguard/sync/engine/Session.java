package dev.syncguard.sync.engine;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.Timers;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.local.TabKeys;
import dev.syncguard.sync.remote.AnchoredClock;
import dev.syncguard.sync.remote.FirestoreSyncBackend;
import dev.syncguard.sync.remote.OperatorLimits;
import dev.syncguard.sync.remote.Quota;
import dev.syncguard.sync.remote.RemoteDocument;
import dev.syncguard.sync.remote.SyncFailure;
import dev.syncguard.sync.state.Decisions;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.state.Ticket;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the runs of one tab share: who is reading, what the remote last held, and how things stand. */
final class Session {

  /** What this session may do, and why not more. */
  enum Mode {
    /** {@link Engine#start} has not come to an end. */
    STARTING,
    /** Everything. */
    ACTIVE,
    /** Nothing: nobody is logged in. */
    ANONYMOUS,
    /** Nothing: the state of this device has become somebody else's since this tab was loaded. */
    OTHER_USER,
    /** Nothing: no configuration, no identity, no secret, or the rules forbid reading. */
    UNAVAILABLE,
    /** Nothing: the forum does not show us where the secret is kept. */
    IDENTITY_DENIED,
    /** Nothing: the remote document is broken. */
    REMOTE_INVALID,
    /** Nothing: the server does not understand us. */
    CLIENT_ERROR,
    /** Nothing: the remote document belongs to a newer version of this program. */
    READ_ONLY,
    /** Reading: the rules forbid writing. */
    PUSH_DISABLED
  }

  final LocalStore local;
  final OperatorLimits operator;
  final AnchoredClock clock;
  final FirestoreSyncBackend backend;
  final Quota quota;
  final Tempo tempo;
  final Timers timers;
  final Random random;
  final Clocks clocks;
  final Log log;
  final Listener listener;
  final String tabId;
  final String writerId;

  Mode mode = Mode.STARTING;

  /** How much this session may do: what it was built for, or less if the operator asks for it. */
  SessionSettings settings;

  /** Whose state this tab works on. */
  Owner owner;

  @Nullable
  String node;

  @Nullable
  TabKeys tabs;

  /** Whether marks had to be cleared in this session because the document was full. */
  boolean shrunk;

  /** How often merging has changed what the reader sees. */
  int applied;

  /** Whether this session has looked for data at the node that was used before. */
  boolean oldNodeProbed;

  boolean everReached;
  long lastSuccess = -Tempo.NEVER;

  /** Why the last read failed, or null if it did not. */
  @Nullable
  SyncFailure readFailure;

  /** Why the last write failed, or null if it did not. */
  @Nullable
  SyncFailure writeFailure;

  /** How often the reader has left, or asked for a push. */
  int hurries;

  /** How many of them a confirmed write has served: it was made after them, of all that there was. */
  int hurriesServed;

  String lastError = "none";

  @Nullable
  String lastPushedAt;

  private final SharedStore shared;
  private RemoteDocument.@Nullable Known remote;
  private String remoteSeenAfterReset = "";
  private int generation;
  private Runnable onCrash = () -> {};

  Session(SessionSettings settings, SyncPorts ports) {
    clocks = ports.clocks();
    timers = ports.timers();
    random = ports.random();
    shared = ports.shared();
    log = new Log(ports.listener());
    listener = log.safe();
    local = new LocalStore(settings.site, ports.values(), shared, clocks, random);
    owner = local.meta().owner();
    operator = new OperatorLimits(settings, ports.values(), local.keys.operator, clocks);
    this.settings = operator.effective();
    clock = new AnchoredClock(clocks);
    quota = new Quota(ports.values(), local.keys.quota, clocks, clock, random, () -> this.settings);
    backend = new FirestoreSyncBackend(settings, ports.http(), timers, clock, quota);
    tempo = new Tempo(clocks, random);
    tabId = random.uuid().substring(0, 8);
    writerId = local.deviceId() + ":" + tabId;
  }

  void onCrash(Runnable handler) {
    onCrash = handler;
  }

  /** Makes everything that is under way come to nothing. */
  void cancelAll() {
    generation++;
    saw(null);
  }

  /** Returns {@code next} such that it does nothing if {@link #cancelAll} came first, and never throws. */
  <T> Consumer<T> guarded(Consumer<T> next) {
    int startedUnder = generation;
    return value -> {
      if (Decisions.stillCurrent(startedUnder, generation)) {
        safely(() -> next.accept(value));
      }
    };
  }

  /** Runs {@code task} later, under the same conditions. */
  void later(long delay, Runnable task) {
    Consumer<Runnable> run = guarded(Runnable::run);
    timers.schedule(delay, () -> run.accept(task));
  }

  /** Runs {@code task} and lets no exception of it reach the reader. */
  void safely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException bug) {
      // The message could hold anything, so only its kind is told.
      lastError = bug.getClass().getSimpleName();
      log.warn("Sync failed unexpectedly: " + lastError);
      onCrash.run();
    }
  }

  /** Calls somebody outside, whose exceptions are not ours. */
  void tell(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException theirs) {
      log.warn("A callback failed: " + theirs.getClass().getSimpleName());
    }
  }

  String node() {
    if (node == null) {
      throw new IllegalStateException("There is no node without an identity");
    }
    return node;
  }

  /** Returns a ticket for work that begins now. */
  Ticket ticket() {
    return local.ticket(owner);
  }

  /** Returns the remote as this tab last saw or wrote it, to merge with and to write against; null if unknown. */
  RemoteDocument.@Nullable Known remote() {
    // What was there before a reset may look as new as what is there after it.
    return remoteSeenAfterReset.equals(local.meta().resetId()) ? remote : null;
  }

  void saw(RemoteDocument.@Nullable Known document) {
    remote = document;
    remoteSeenAfterReset = local.meta().resetId();
  }

  /** Returns a document as it is to be treated: one with epochs that nobody can have reached makes no sense. */
  RemoteDocument.Known judged(RemoteDocument.Known document) {
    if (document instanceof RemoteDocument.Found found) {
      for (SyncedField field : SyncedField.values()) {
        int here = local.meta().field(field).clearEpoch();
        if (!Decisions.isPlausible(here, found.envelope().fields().clearEpoch(field))) {
          return new RemoteDocument.Unusable(
              false, "an epoch that nobody can have reached", Map.of(), found.token());
        }
      }
    }
    return document;
  }

  /** Becomes the session of a user. */
  void identify(String user, @Nullable String newNode) {
    owner = new Owner(user, local.meta().owner().handovers());
    node = newNode;
    tabs = tabs(user);
    quota.countFor(user, tabs);
  }

  TabKeys tabs(String user) {
    return new TabKeys(shared, settings.site, user);
  }

  /** Returns whether what this device stores is still that of our user, and not yet that of another tab's. */
  boolean localIsOurs() {
    return Decisions.sameReader(owner, local.meta().owner());
  }

  /** Gives up if another tab has handed this device's state to another user. */
  void noticeOtherUser() {
    if (mode != Mode.OTHER_USER && !localIsOurs()) {
      mode = Mode.OTHER_USER;
      log.warn("Somebody else is logged in by now");
      listener.notice("Somebody else has logged in; reload the page.");
    }
  }

  /** Takes note that work came to nothing because the state had become another one meanwhile. */
  void cameTooLate() {
    saw(null);
    tempo.failed(SyncFailure.CONFLICT, false);
    noticeOtherUser();
  }

  boolean mayRead() {
    return node != null && (mode == Mode.ACTIVE || mode == Mode.PUSH_DISABLED);
  }

  boolean mayWrite() {
    return node != null && mode == Mode.ACTIVE && settings.writesEnabled;
  }

  /** Takes note that the remote says all that was to be written: what seemed to fail has got through, or another did it. */
  void needsNoWrite() {
    writeFailure = null;
    tempo.forgetRetries();
    worked(false);
  }

  /** Takes note of a request that worked. */
  void worked(boolean write) {
    everReached = true;
    readFailure = null;
    if (write) {
      writeFailure = null;
    }
    lastError = writeFailure == null ? "none" : writeFailure.name();
    lastSuccess = tempo.now();
    tempo.worked(write);
    quota.answered(write, !mayWrite() || !local.meta().dirty());
  }

  /** Takes note of a request that failed, and gives up what it shows to be hopeless. */
  void failed(SyncFailure failure, boolean write) {
    if (write) {
      writeFailure = failure;
    } else {
      readFailure = failure;
    }
    lastError = failure.name();
    switch (failure) {
      case QUOTA -> {} // The backend has heeded it.
      case DENIED -> mode = write ? Mode.PUSH_DISABLED : Mode.UNAVAILABLE;
      case CLIENT_ERROR -> mode = Mode.CLIENT_ERROR;
      default -> tempo.failed(failure, write);
    }
    if (failure == SyncFailure.DENIED || failure == SyncFailure.CLIENT_ERROR) {
      log.warn("The server refused to " + (write ? "write" : "read") + ": " + failure);
    }
  }

  /** Takes note of a document that cannot be merged with. */
  void unusable(RemoteDocument.Unusable document) {
    if (document.newer()) {
      mode = Mode.READ_ONLY;
      log.warn("The remote state was written by a newer version; sync is paused in this session");
    } else {
      mode = Mode.REMOTE_INVALID;
      log.warn("sync-remote-invalid: " + document.reason());
    }
    lastError = document.newer() ? "newer version" : "remote invalid";
  }

  /** Asks what the operator wants of us, if it is time to, and calls {@code changed} if that is something else. */
  void askOperator(Runnable changed) {
    if (operator.areStale() && quota.waitMillis() == 0) {
      backend.readOperatorLimits(guarded(fields -> {
        operator.heard(fields);
        obeyOperator();
        changed.run();
      }));
    }
  }

  /** Goes by what the operator wants, which this or another tab has learnt. */
  void obeyOperator() {
    settings = operator.effective();
  }

  /** Takes note that the node is really in use. */
  void nodeIsInUse() {
    local.commit(ticket(), state -> state.with(state.meta().withNode(node())));
  }
}
