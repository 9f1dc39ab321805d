package dev.syncguard.firestore.server.trigger;

import static java.lang.System.Logger.Level.WARNING;

import dev.syncguard.firestore.server.name.DatabaseName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The events that one trigger has not handled yet, oldest first. The first is told again and again, with growing pauses, until
 * it is handled or given up; the others wait for it, so that a document's events come in their order. Thread-safe.
 */
final class TriggerQueue {
  private static final System.Logger log = System.getLogger(TriggerQueue.class.getName());

  /** How often, how patiently and for how many events a trigger tries. */
  record Limits(int attempts, Duration firstPause, Duration longestPause, int events) {
    static final Limits DEFAULT =
        new Limits(8, Duration.ofMillis(100), Duration.ofSeconds(10), 10_000);
  }

  private final Trigger trigger;
  private final ScheduledExecutorService threads;
  private final Limits limits;
  private final Deque<DocumentEvent> events = new ArrayDeque<>();
  private boolean busy;
  private boolean closed;
  private boolean held;
  private int attempts;

  TriggerQueue(Trigger trigger, ScheduledExecutorService threads, Limits limits) {
    this.trigger = trigger;
    this.threads = threads;
    this.limits = limits;
  }

  Trigger trigger() {
    return trigger;
  }

  /** Adds an event; never waits, because a commit calls it. */
  synchronized void add(DocumentEvent event) {
    if (closed) {
      return;
    }
    if (events.size() >= limits.events()) {
      log.log(
          WARNING,
          () -> "The trigger of " + trigger.pattern() + " is " + limits.events()
              + " events behind; one was dropped");
      return;
    }
    events.add(event);
    if (!busy && !held) {
      busy = true;
      schedule(Duration.ZERO);
    }
  }

  /** Keeps events until {@link #release}. */
  synchronized void hold() {
    held = true;
  }

  synchronized void release() {
    held = false;
    if (!busy && !events.isEmpty()) {
      busy = true;
      schedule(Duration.ZERO);
    }
  }

  /** Returns whether there is an event that has not failed yet. */
  synchronized boolean isProgressing() {
    return busy && attempts == 0;
  }

  /** Returns the first event of a database that was not handled. */
  synchronized Optional<DocumentEvent> first(DatabaseName database) {
    return events.stream()
        .filter(event -> event.name().database().equals(database))
        .findFirst();
  }

  synchronized boolean isIdle() {
    return !busy;
  }

  synchronized void close() {
    closed = true;
    events.clear();
  }

  private void schedule(Duration pause) {
    var unused = threads.schedule(this::tellFirst, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tellFirst() {
    DocumentEvent event;
    synchronized (this) {
      event = events.peek();
      if (event == null) {
        busy = false;
        return;
      }
    }
    finished(event, isHandled(event));
  }

  private boolean isHandled(DocumentEvent event) {
    try {
      trigger.listener().handle(event);
      return true;
    } catch (Throwable e) { // also an Error, like that of an assertion: nobody else would see it
      log.log(
          WARNING,
          () -> "The trigger of " + trigger.pattern() + " has not handled event " + event.id(),
          e);
      return false;
    }
  }

  private synchronized void finished(DocumentEvent event, boolean handled) {
    attempts++;
    boolean over = handled || attempts >= limits.attempts();
    if (over && !events.isEmpty()) { // closing empties it
      if (!handled) {
        log.log(WARNING, () -> "Event " + event.id() + " was given up");
      }
      events.remove();
    }
    Duration pause = over ? Duration.ZERO : pause(attempts);
    attempts = over ? 0 : attempts;
    busy = !events.isEmpty() && !closed;
    if (busy) {
      schedule(pause);
    }
  }

  private Duration pause(int failures) {
    Duration doubled = limits.firstPause().multipliedBy(1L << Math.min(failures - 1, 20));
    return doubled.compareTo(limits.longestPause()) < 0 ? doubled : limits.longestPause();
  }
}
