package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.firestore.v1.Document;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Topic;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/**
 * Tells triggers of every commit but imports: each of all events about it, in the order of the commits, at least once.
 * Events that were not handled when the server ends are lost. Thread-safe.
 */
public final class Triggers implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int MAX_REGISTERED = 1_000;

  private final List<TriggerQueue> queues = new CopyOnWriteArrayList<>();
  private final Map<String, TriggerQueue> registered = new HashMap<>();
  private final ScheduledExecutorService threads;
  private final TriggerQueue.Limits limits;
  private final boolean open;
  private final Set<Import> imports = ConcurrentHashMap.newKeySet();
  private final Set<DatabaseName> paused = ConcurrentHashMap.newKeySet();

  /** A commit that triggers are not told of. */
  private record Import(DatabaseName database, long micros) {}

  /**
   * Creates triggers that are called from threads of this factory.
   *
   * @param open whether more can be registered later
   */
  public Triggers(List<Trigger> triggers, boolean open, ThreadFactory factory) {
    this.limits = TriggerQueue.Limits.DEFAULT;
    this.open = open;
    this.threads = Executors.newScheduledThreadPool(
        open ? THREADS : Math.max(1, Math.min(THREADS, triggers.size())), factory);
    triggers.forEach(trigger -> queues.add(new TriggerQueue(trigger, threads, limits)));
  }

  /** Adds a trigger, or puts it in the place of the one that was registered under the same key. */
  synchronized void register(String key, Trigger trigger) {
    unregister(key);
    if (registered.size() >= MAX_REGISTERED) {
      throw new FirestoreServerException(
          Code.RESOURCE_EXHAUSTED, "There are at most " + MAX_REGISTERED + " functions.");
    }
    TriggerQueue queue = new TriggerQueue(trigger, threads, limits);
    registered.put(key, queue);
    queues.add(queue);
  }

  /** Tells a trigger that was registered nothing more. */
  synchronized void unregister(String key) {
    TriggerQueue queue = registered.remove(key);
    if (queue != null) {
      queue.close();
      queues.remove(queue);
    }
  }

  private boolean nobodyListens() {
    return queues.isEmpty() && !open;
  }

  /** Tells the triggers of the database's commits from now on. */
  public void follow(Database database) {
    if (!nobodyListens()) {
      database
          .observe(commit -> told(database.name(), commit))
          .follow(Set.of(new Topic.Everything()));
    }
  }

  /** Returns the gate through which a commit passes unnoticed. */
  public CommitGate importGate(DatabaseName database) {
    return nobodyListens()
        ? CommitGate.OPEN
        : (present, micros, writes) -> imports.add(new Import(database, micros));
  }

  /** Does something to a database that triggers are not told of, nor of what others do to it meanwhile. */
  public void without(DatabaseName database, Runnable task) {
    paused.add(database);
    try {
      task.run();
    } finally {
      paused.remove(database);
    }
  }

  private void told(DatabaseName database, Commit commit) {
    if (imports.remove(new Import(database, commit.micros())) || paused.contains(database)) {
      return;
    }
    Instant time = Instant.EPOCH.plus(commit.micros(), ChronoUnit.MICROS);
    int number = 0;
    for (Change change : commit.changes()) {
      // Commits of one database have times of their own; databases are told apart by their names.
      String source = database + "@" + commit.micros() + "#" + number++;
      tell(UUID.nameUUIDFromBytes(source.getBytes(UTF_8)).toString(), time, change);
    }
  }

  private void tell(String id, Instant time, Change change) {
    Optional<Document> before = Optional.ofNullable(change.before());
    Optional<Document> after = Optional.ofNullable(change.after());
    for (TriggerQueue queue : queues) {
      queue.trigger().pattern().match(change.name().path()).ifPresent(parameters -> {
        DocumentEvent event = new DocumentEvent(id, time, change.name(), parameters, before, after);
        if (queue.trigger().isAbout(event)) {
          queue.add(event);
        }
      });
    }
  }

  /** Returns whether every event so far was handled or given up. */
  public boolean isIdle() {
    return queues.stream().allMatch(TriggerQueue::isIdle);
  }

  @Override
  public void close() {
    queues.forEach(TriggerQueue::close);
    threads.shutdownNow();
  }
}
