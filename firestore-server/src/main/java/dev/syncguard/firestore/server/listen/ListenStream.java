package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Gatekeeper;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Observation;
import dev.syncguard.firestore.server.store.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One listening client: its targets, and the commits that it has not been told of yet. Requests and commits may come from
 * any thread; they are handled one after the other on the executor.
 *
 * <p>Commits are queued by the committing thread, which must not wait. Before a new target is shown, the older commits of
 * the queue are told to the other targets, so that the times of the snapshots never go back.
 *
 * <p>A client that reads slowly holds up only itself: what it is to be told stays as documents, which are shared, and
 * becomes bytes when it takes them; its next request waits for that, too; and when too many commits have piled up the
 * stream ends, for the client to resume.
 */
public final class ListenStream {
  private static final int MAX_TARGETS = 100;
  /** How much is handed over before we ask again whether the client has taken it. */
  private static final int BATCH_BYTES = 64 << 10;

  /** Where the answers go. */
  public interface Client {
    /** Sends a message. */
    void send(ListenResponse message);

    /** Returns whether the client has taken what was sent so far. */
    boolean isReady();

    /** Lets the next request come. */
    void requestNext();

    /** Ends the stream with an error; nothing is sent afterwards. */
    void fail(FirestoreServerException cause);
  }

  private final Databases databases;
  private final Gatekeeper gatekeeper;
  private final IndexCheck indexes;
  private final AuthContext who;
  private final Optional<Instant> validUntil;
  private final Listeners listeners;
  private final Client client;
  private final SerialTasks tasks;
  private final Map<Integer, TargetState> targets = new LinkedHashMap<>();
  private final ListenerMemory.Share share;
  private final Outbox outbox = new Outbox();
  private final PendingCommits pending = new PendingCommits();
  private boolean busy;
  private @Nullable Database database;
  private @Nullable Observation observation;
  private Set<Topic> followed = Set.of();
  private long toldMicros;
  private final Instant since;
  /** For people who debug, from any thread. */
  private final Map<Integer, String> descriptions = new ConcurrentSkipListMap<>();

  private volatile String databaseName = "";

  /** Creates the stream of one client, which has no targets yet. */
  public ListenStream(
      Operations operations,
      Listeners listeners,
      AuthContext who,
      Client client,
      Executor executor) {
    this.databases = operations.databases();
    this.gatekeeper = operations.gatekeeper();
    this.indexes = operations.indexes();
    this.listeners = listeners;
    this.who = who;
    this.share = listeners.memory().new Share();
    this.validUntil = listeners.validity(who);
    this.since = listeners.now();
    this.client = client;
    this.tasks = new SerialTasks(executor, this::fail);
    listeners.add(this);
  }

  /** Takes a request of the client. */
  public void request(ListenRequest request) {
    tasks.run(() -> {
      busy = true;
      if (!pending.isClosed()) {
        handle(request);
      }
      resume();
    });
  }

  /** Runs after everything that was asked for before. */
  public void afterwards(Runnable task) {
    tasks.run(task);
  }

  /** Stops telling; nothing is sent from now on. */
  public void close() {
    pending.close();
    listeners.remove(this);
    Observation opened = observation;
    if (opened != null) {
      opened.close();
    }
    share.close();
    tasks.run(this::forget);
  }

  private void forget() {
    outbox.clear();
    targets.values().forEach(TargetState::close);
    targets.clear();
  }

  private void handle(ListenRequest request) {
    Database served = open(DatabaseName.parse(request.getDatabase()));
    switch (request.getTargetChangeCase()) {
      case ADD_TARGET -> add(served, request.getAddTarget());
      case REMOVE_TARGET -> {
        descriptions.remove(request.getRemoveTarget());
        TargetState removed = targets.remove(request.getRemoveTarget());
        if (removed != null) {
          removed.close();
          follow(Set.of());
          outbox.add(ListenMessages.target(TargetChangeType.REMOVE, request.getRemoveTarget()));
        }
      }
      case TARGETCHANGE_NOT_SET ->
        throw FirestoreServerException.invalid("A listen request adds or removes a target.");
    }
  }

  private Database open(DatabaseName name) {
    Database known = database;
    if (known == null) {
      known = databases.get(name).database();
      database = known;
      databaseName = name.toString();
      Observation opened = known.observe(this::enqueue);
      observation = opened;
      if (pending.isClosed()) {
        opened.close();
      }
    } else if (!known.name().equals(name)) {
      throw FirestoreServerException.invalid(
          "All targets of one stream must be in the same database.");
    }
    return known;
  }

  private void add(Database served, Target target) {
    int id = target.getTargetId() == 0 ? unusedId() : target.getTargetId();
    if (targets.containsKey(id)) {
      throw FirestoreServerException.invalid("Target id " + id + " is already used.");
    }
    TargetState state;
    try {
      if (targets.size() >= MAX_TARGETS) {
        throw new FirestoreServerException(
            Code.RESOURCE_EXHAUSTED, "A stream has at most " + MAX_TARGETS + " targets.");
      }
      state = new TargetState(id, watch(served.name(), target), listeners.tokens(), share);
    } catch (FirestoreServerException e) {
      outbox.add(ListenMessages.refused(id, e));
      return;
    }
    targets.put(id, state); // from here on it is closed with the stream, whatever happens
    try {
      follow(state.topics()); // before it is looked at, so that nothing is missed in between
      state.start(served, ResumePoint.of(target, listeners.tokens()));
      followDependencies(state, served);
    } catch (FirestoreServerException e) {
      outbox.add(drop(id, e));
      return;
    }
    sendCommitsUpTo(served, state.seenMicros());
    descriptions.put(id, Listeners.describe(target));
    outbox.add(state.answer());
    tellSnapshot(state.seenMicros());
  }

  /** Lets the stream be told of what concerns its targets, and of more. */
  private void follow(Set<Topic> more) {
    Set<Topic> all = new HashSet<>(more);
    targets.values().forEach(target -> all.addAll(target.topics()));
    followed = all;
    Objects.requireNonNull(observation).follow(all);
  }

  /**
   * Lets the stream be told of the documents that the target's permission depends on. Those became known by asking for it,
   * so they may have changed meanwhile: it is asked for again once they are followed.
   */
  private void followDependencies(TargetState target, Database served) {
    while (!followed.containsAll(target.topics())) {
      Set<Topic> more = new HashSet<>(followed);
      more.addAll(target.topics());
      follow(more);
      target.authorize(served);
    }
  }

  private WatchedTarget watch(DatabaseName name, Target target) {
    return switch (target.getTargetTypeCase()) {
      case QUERY -> {
        QueryWatch watch = new QueryWatch(gatekeeper, indexes, who, target.getQuery());
        if (!watch.parent().database().equals(name)) {
          throw FirestoreServerException.invalid(
              "The query does not lie in the database of the request.");
        }
        yield watch;
      }
      case DOCUMENTS ->
        new DocumentsWatch(gatekeeper, who, name, target.getDocuments().getDocumentsList());
      default ->
        throw FirestoreServerException.invalid("A target is a query or a list of documents.");
    };
  }

  private void enqueue(Commit commit) {
    pending.add(commit);
    tasks.run(this::resume);
  }

  private static FirestoreServerException tooSlow() {
    return new FirestoreServerException(
        Code.UNAVAILABLE, "The listener is too slow; connect again.");
  }

  /** Goes on after the client was slow. */
  public void ready() {
    tasks.run(this::resume);
  }

  private void resume() {
    boolean more = true;
    while (more && !pending.isClosed()) {
      if (pending.isLost()) {
        throw tooSlow();
      }
      more = client.isReady() && (sendBatch() || tellNext());
    }
    if (busy && outbox.isEmpty()) {
      busy = false;
      client.requestNext();
    }
  }

  private boolean sendBatch() {
    int bytes = 0;
    ListenResponse message = outbox.poll();
    while (message != null) {
      client.send(message);
      bytes += message.getSerializedSize();
      message = bytes < BATCH_BYTES ? outbox.poll() : null;
    }
    return bytes > 0;
  }

  private boolean tellNext() {
    Database served = database;
    Commit next = served == null ? null : pending.takeUpTo(Long.MAX_VALUE);
    if (served == null || next == null) {
      return false;
    }
    served.awaitDurable();
    tell(served, next);
    return true;
  }

  private void sendCommitsUpTo(Database served, long micros) {
    Commit next = pending.takeUpTo(micros);
    while (next != null) {
      tell(served, next);
      next = pending.takeUpTo(micros);
    }
  }

  private void tell(Database served, Commit commit) {
    List<ListenResponse> messages = new ArrayList<>();
    for (TargetState target : List.copyOf(targets.values())) {
      try {
        messages.addAll(target.follow(served, commit));
        followDependencies(target, served);
      } catch (FirestoreServerException e) {
        messages.add(drop(target, e));
      }
    }
    if (!messages.isEmpty()) {
      outbox.addAll(messages);
      tellSnapshot(commit.micros());
    }
  }

  /** Ends a target that the listener may not see any more. */
  private ListenResponse drop(TargetState target, FirestoreServerException cause) {
    if (cause.code() != Code.PERMISSION_DENIED) {
      // Otherwise the state after the commit is no longer known, because so much has happened
      // since.
      throw cause.code() == Code.FAILED_PRECONDITION ? tooSlow() : cause;
    }
    return drop(target.id(), cause);
  }

  private ListenResponse drop(int id, FirestoreServerException cause) {
    TargetState dropped = targets.remove(id);
    if (dropped != null) {
      dropped.close();
    }
    descriptions.remove(id);
    follow(Set.of());
    return ListenMessages.refused(id, cause);
  }

  Listeners.Open describe(Instant now) {
    String caller = who instanceof AuthContext.User user
        ? "user " + user.uid()
        : who instanceof AuthContext.Owner ? "administrator" : "anonymous";
    return new Listeners.Open(
        caller, databaseName, Duration.between(since, now), List.copyOf(descriptions.values()));
  }

  /** Looks whether the listener may still see its targets, because others may now see less or more. */
  void authorizeAgain() {
    tasks.run(() -> {
      Database served = database;
      if (served != null && !pending.isClosed()) {
        for (TargetState target : List.copyOf(targets.values())) {
          try {
            target.authorize(served);
            followDependencies(target, served);
          } catch (FirestoreServerException e) {
            outbox.add(drop(target, e));
          }
        }
      }
      resume();
    });
  }

  /** Ends the stream if the token that opened it was good then and is not any more. */
  void expire(Instant now) {
    if (validUntil.isPresent() && !now.isBefore(validUntil.get())) {
      tasks.run(() -> {
        throw new FirestoreServerException(
            Code.UNAUTHENTICATED, "The token of the listener has expired.");
      });
    }
  }

  private void tellSnapshot(long micros) {
    toldMicros = Math.max(toldMicros, micros);
    outbox.add(ListenMessages.snapshot(toldMicros, listeners.tokens().at(toldMicros)));
  }

  private int unusedId() {
    int id = 1;
    while (targets.containsKey(id)) {
      id++;
    }
    return id;
  }

  private void fail(FirestoreServerException cause) {
    if (!pending.isClosed()) {
      close();
      client.fail(cause);
    }
  }
}
