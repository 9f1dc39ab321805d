package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.firestore.v1.Document;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Topic;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import java.util.concurrent.TimeUnit;

/**
 * Tells triggers of every commit but imports: each of all events about it, in the order of the commits, at least once.
 * With a data directory, those that were there from the start are told in the next run what they had not handled in this one;
 * otherwise that is lost when the server ends. Thread-safe.
 */
public final class Triggers implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int MAX_REGISTERED = 1_000;
  private static final Duration DRAINING = Duration.ofSeconds(5);

  private final List<TriggerQueue> queues = new CopyOnWriteArrayList<>();
  private final Map<String, TriggerQueue> registered = new HashMap<>();
  private final ScheduledExecutorService threads;
  private final TriggerQueue.Limits limits;
  private final boolean open;
  private final Progress progress;
  /** The triggers that were there from the start. */
  private final Map<String, TriggerQueue> lasting = new LinkedHashMap<>();

  private final Map<DatabaseName, Database> databases = new ConcurrentHashMap<>();
  /** The latest commit of each database of which everything is in the queues. */
  private final Map<DatabaseName, Long> seen = new ConcurrentHashMap<>();
  /** Databases that are being read back. */
  private final Set<DatabaseName> opening = ConcurrentHashMap.newKeySet();

  /**
   * Creates triggers that are called from threads of this factory.
   *
   * @param open whether more can be registered later
   */
  public Triggers(List<Trigger> triggers, boolean open, ThreadFactory factory, Progress progress) {
    this.limits = TriggerQueue.Limits.DEFAULT;
    this.open = open;
    this.progress = progress;
    this.threads = Executors.newScheduledThreadPool(
        open ? THREADS : Math.max(1, Math.min(THREADS, triggers.size())), factory);
    for (Trigger trigger : triggers) {
      String identity = trigger.identity();
      String key = identity;
      for (int i = 2; lasting.containsKey(key); i++) {
        key = identity + "#" + i;
      }
      TriggerQueue queue = new TriggerQueue(safely(trigger), threads, limits);
      queue.hold();
      lasting.put(key, queue);
      queues.add(queue);
    }
  }

  /** What is told must not be undone by a crash. */
  private Trigger safely(Trigger trigger) {
    return new Trigger(trigger.kind(), trigger.database(), trigger.pattern(), event -> {
      Database database = databases.get(event.name().database());
      if (database != null) {
        database.awaitDurable();
      }
      trigger.listener().handle(event);
    });
  }

  /** Adds a trigger, or puts it in the place of the one that was registered under the same key. */
  synchronized void register(String key, Trigger trigger) {
    unregister(key);
    if (registered.size() >= MAX_REGISTERED) {
      throw new FirestoreServerException(
          Code.RESOURCE_EXHAUSTED, "There are at most " + MAX_REGISTERED + " functions.");
    }
    TriggerQueue queue = new TriggerQueue(safely(trigger), threads, limits);
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

  /** Tells the triggers of the database's commits, also of those that are read back now and that they had not handled. */
  public void follow(Database database) {
    if (!nobodyListens()) {
      databases.put(database.name(), database);
      opening.add(database.name());
      database
          .watch(commit -> told(database.name(), commit))
          .follow(Set.of(new Topic.Everything()));
    }
  }

  /** Says that all of the database was read back. */
  public void opened(Database database) {
    if (opening.remove(database.name())) {
      seen.merge(database.name(), database.lastCommit(), Math::max);
    }
  }

  /** Returns whether no trigger has anything left to handle of what has happened in the database. */
  public boolean areDoneWith(DatabaseName database) {
    return queues.stream().allMatch(queue -> queue.first(database).isEmpty());
  }

  /** Forgets a database that was closed because it was empty. */
  public void forget(DatabaseName database) {
    databases.remove(database);
    seen.remove(database);
  }

  /** Begins to tell. Every database of the data directory is open. */
  public void start() {
    save();
    lasting.values().forEach(TriggerQueue::release);
  }

  /** Remembers what was handled; to be called about once a second. */
  public void save() {
    if (!progress.isKept()) {
      return;
    }
    Map<String, Long> times = new HashMap<>();
    seen.forEach((database, latest) -> lasting.forEach((key, queue) -> times.put(
        Progress.key(key, database),
        queue.first(database).map(event -> micros(event) - 1).orElse(latest))));
    progress.save(lasting.keySet(), times);
  }

  private static long micros(DocumentEvent event) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, event.time());
  }

  /** Returns the time up to which every trigger has handled all commits of the database, as far as is remembered. */
  public long followedUntil(DatabaseName database) {
    return progress.isKept()
        ? lasting.keySet().stream()
            .filter(progress::knows)
            .mapToLong(key -> progress.of(key, database))
            .min()
            .orElse(Long.MAX_VALUE)
        : Long.MAX_VALUE;
  }

  private void told(DatabaseName database, Commit commit) {
    if (!commit.quiet()) {
      tellAll(database, commit);
    }
    seen.put(database, commit.micros());
  }

  private void tellAll(DatabaseName database, Commit commit) {
    Instant time = Instant.EPOCH.plus(commit.micros(), ChronoUnit.MICROS);
    List<TriggerQueue> wanting = new ArrayList<>(queues);
    lasting.forEach((key, queue) -> {
      if (!isNews(key, database, commit)) {
        wanting.remove(queue);
      }
    });
    for (Change change : commit.changes()) {
      // Commits of one database have times of their own, and say of each document only once what
      // became of it.
      String source = change.name() + "@" + commit.micros();
      tell(UUID.nameUUIDFromBytes(source.getBytes(UTF_8)).toString(), time, change, wanting);
    }
  }

  /** Returns whether the trigger was not told of the commit in an earlier run; one that is new is told nothing of the past. */
  private boolean isNews(String key, DatabaseName database, Commit commit) {
    return !opening.contains(database)
        || (progress.knows(key) && commit.micros() > progress.of(key, database));
  }

  private static void tell(String id, Instant time, Change change, List<TriggerQueue> wanting) {
    Optional<Document> before = Optional.ofNullable(change.before());
    Optional<Document> after = Optional.ofNullable(change.after());
    for (TriggerQueue queue : wanting) {
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

  /** Waits until everything that can be handled is, but not for long. */
  private void drain() {
    long end = System.nanoTime() + DRAINING.toNanos();
    try {
      while (queues.stream().anyMatch(TriggerQueue::isProgressing) && System.nanoTime() - end < 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells what it can within a few seconds, and remembers the rest for the next run if there is a data directory. */
  @Override
  public void close() {
    drain();
    try {
      save();
    } finally {
      queues.forEach(TriggerQueue::close);
      threads.shutdownNow();
    }
  }
}
