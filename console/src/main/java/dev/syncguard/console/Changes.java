package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Tells open pages what has changed, so that they ask for that and nothing else. A page that is told nothing still asks now
 * and then: what is lost here costs it a few seconds. Thread-safe.
 */
final class Changes implements AutoCloseable {

  /** What a page can watch. */
  enum Topic {
    LOCKS,
    HISTORY,
    DATA,
    REQUESTS,
    ACTIVITY
  }

  /** A browser has six connections to a host; the others stay free for questions. More pages than these ask by themselves. */
  private static final int MOST = 4;
  /** So often a page hears something, even if it is nothing: silence means that nobody is there. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  private final List<Subscription> open = new ArrayList<>();
  private final Set<Topic> told = EnumSet.noneOf(Topic.class);
  private boolean closed;

  /** Says that something is different now. */
  synchronized void tell(Collection<Topic> topics) {
    open.forEach(page -> page.changed.addAll(topics));
    notifyAll();
  }

  /** Says whether changes of these are told from now on; a page asks for those that are not. */
  synchronized void promise(Collection<Topic> topics, boolean kept) {
    if (kept ? told.addAll(topics) : told.removeAll(topics)) {
      open.forEach(page -> page.greeted = false);
    }
    tell(topics);
  }

  /** Returns what one page is told, or nothing if enough of them are open. */
  synchronized Optional<Subscription> subscribe() {
    if (closed || open.size() >= MOST) {
      return Optional.empty();
    }
    Subscription page = new Subscription();
    open.add(page);
    notifyAll();
    return Optional.of(page);
  }

  synchronized boolean isWatched() {
    return !open.isEmpty();
  }

  /** Waits until a page is open, and returns false once there will be none. */
  synchronized boolean awaitPage() throws InterruptedException {
    while (open.isEmpty() && !closed) {
      wait();
    }
    return !closed;
  }

  /** Ends all streams. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** One page that is told. */
  final class Subscription implements AutoCloseable {
    private final Set<Topic> changed = EnumSet.noneOf(Topic.class);
    private boolean greeted;

    /** Returns the next line for the page, or nothing once it is over. */
    Optional<String> next() throws InterruptedException {
      synchronized (Changes.this) {
        long end = System.nanoTime() + HEARTBEAT.toNanos();
        for (long left = HEARTBEAT.toNanos();
            left > 0 && !closed && greeted && changed.isEmpty();
            left = end - System.nanoTime()) {
          TimeUnit.NANOSECONDS.timedWait(Changes.this, left);
        }
        return closed ? Optional.empty() : Optional.of(line().toString());
      }
    }

    private ObjectNode line() {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      if (!greeted) {
        add(line.putArray("told"), told);
      }
      add(line.putArray("changed"), changed);
      greeted = true;
      changed.clear();
      return line;
    }

    private static void add(ArrayNode array, Set<Topic> topics) {
      topics.forEach(topic -> array.add(topic.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public void close() {
      synchronized (Changes.this) {
        open.remove(this);
      }
    }
  }
}
