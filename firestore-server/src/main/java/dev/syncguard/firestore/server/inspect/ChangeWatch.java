package dev.syncguard.firestore.server.inspect;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Observation;
import dev.syncguard.firestore.server.store.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Notices what changes while somebody looks: documents by observing commits, requests by their number, transactions and
 * listeners by comparing. Asked by one thread at a time; closed by any.
 */
final class ChangeWatch implements AutoCloseable {
  private final Databases databases;
  private final Listeners listeners;
  private final RequestLog log;
  private final AtomicBoolean committed = new AtomicBoolean();
  private final Map<Database, Observation> observed = new HashMap<>();
  private long requests;
  private List<?> activity = List.of();
  private boolean closed;

  ChangeWatch(Databases databases, Listeners listeners, RequestLog log) {
    this.databases = databases;
    this.listeners = listeners;
    this.log = log;
    this.requests = log.start();
    this.activity = activity();
    follow();
    committed.set(false);
  }

  /** Returns what has changed since this was last asked: {@code data}, {@code requests}, {@code activity}. */
  synchronized Set<String> changed() {
    Set<String> topics = new TreeSet<>();
    if (closed) {
      return topics;
    }
    follow();
    if (committed.getAndSet(false)) {
      topics.add("data");
    }
    long latest = log.revision();
    if (latest != requests) {
      requests = latest;
      topics.add("requests");
    }
    List<?> now = activity();
    if (!now.equals(activity)) {
      activity = now;
      topics.add("activity");
    }
    return topics;
  }

  /** Observes databases that have come into being since. */
  private void follow() {
    // What was closed because it was empty is not kept for our sake.
    Set<Database> present =
        databases.all().stream().map(Databases.Served::database).collect(Collectors.toSet());
    observed.keySet().retainAll(present);
    databases.all().forEach(served -> {
      if (!observed.containsKey(served.database())) {
        try {
          Observation observation = served.database().watch(commit -> committed.set(true));
          observation.follow(Set.of(new Topic.Everything()));
          observed.put(served.database(), observation);
          committed.set(true);
        } catch (FirestoreServerException e) {
          // It has just been closed because it was empty, and is not among them next time.
          return;
        }
      }
    });
  }

  /** Returns what is open, without the ages, which always change. */
  private List<?> activity() {
    List<List<?>> transactions = databases.all().stream()
        .flatMap(served -> served.transactions().open().stream()
            .map(open ->
                List.of(served.database().name(), open.number(), open.waiting(), open.locks())))
        .<List<?>>map(open -> open)
        .toList();
    List<List<?>> streams = listeners.open().stream()
        .<List<?>>map(open -> List.of(open.caller(), open.database(), open.targets()))
        .toList();
    return List.of(transactions, streams);
  }

  @Override
  public synchronized void close() {
    closed = true;
    observed.values().forEach(Observation::close);
    observed.clear();
  }
}
