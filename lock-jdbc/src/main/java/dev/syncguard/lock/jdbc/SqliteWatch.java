package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the file for those who wait, and wakes each when its turn has come.
 *
 * <p>One thread does it for the whole backend, and only while somebody waits. It looks often at a line that moves: for
 * the first in line several times per millisecond, for the others less often. While nothing moves it becomes slower,
 * but never by more than a small part of the time already waited. Most looks only ask whether the file has changed.
 */
final class SqliteWatch implements AutoCloseable {

  private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long PER_POSITION_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PART_OF_WAIT = 16;
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SqliteStore store;
  private final SqliteSql sql;
  private final Time time;
  private final Time.Signal news;
  private final Map<Post, Look> looks = new LinkedHashMap<>();
  private @Nullable Thread thread;
  private boolean closed;

  SqliteWatch(SqliteStore store, SqliteSql sql, Time time) {
    this.store = store;
    this.sql = sql;
    this.time = time;
    this.news = time.newSignal();
  }

  /** One who waits to be woken. */
  static final class Post {
    private final LockKey key;
    private final LockId id;
    private final Runnable wakeUp;

    Post(LockKey key, LockId id, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.wakeUp = wakeUp;
    }
  }

  /** What the watching thread saw when it last looked for somebody, and when it looks again. */
  private static final class Look {
    final Post post;
    View view = View.NONE;
    long version;
    long viewedAt;
    long movedAt;
    long nextAt;

    Look(Post post, long now) {
      this.post = post;
      this.nextAt = now;
    }
  }

  /** How things stand for one who waits: the line has moved if this has changed. */
  private record View(boolean ourTurn, long ahead, long fence) {
    static final View NONE = new View(false, 0, 0);
  }

  /** Wakes this one, once, as soon as another attempt is worth while. */
  synchronized void add(Post post) {
    if (closed || looks.containsKey(post)) {
      return;
    }
    looks.put(post, new Look(post, time.nanos()));
    if (thread == null) {
      thread = new Thread(this::run, "syncguard-sqlite-watch");
      thread.setDaemon(true);
      thread.start();
    }
    news.fire();
  }

  synchronized void remove(Post post) {
    looks.remove(post);
  }

  private void run() {
    try {
      boolean idle = false;
      while (true) {
        List<Look> due;
        synchronized (this) {
          if (closed || (idle && looks.isEmpty())) {
            thread = null;
            return;
          }
          due = List.copyOf(looks.values());
        }
        boolean hasNews = news.await(Duration.ofNanos(look(due)));
        idle = due.isEmpty() && !hasNews;
      }
    } catch (InterruptedException e) {
      // Only we know this thread. Without it, those who wait try again when they lose patience.
      Thread.currentThread().interrupt();
    }
  }

  /** Looks for all whose time it is, and returns how long to wait before the next one is due. */
  private long look(List<Look> looks) {
    long pause = looks.isEmpty() ? LINGER_NANOS : LONGEST_NANOS;
    try {
      long version = -1;
      for (Look look : looks) {
        long now = time.nanos();
        if (now - look.nextAt >= 0) {
          version = version == -1 ? version() : version;
          look(look, version, now);
        }
        pause = Math.min(pause, Math.max(look.nextAt - time.nanos(), 0));
      }
    } catch (LockException e) {
      // The file cannot be read just now. Those who wait will learn it from their next attempt.
      return LONGEST_NANOS;
    }
    return pause;
  }

  private void look(Look look, long version, long now) {
    // Time passes without changing the file, and may end a lease.
    if (version != look.version || now - look.viewedAt >= LONGEST_NANOS) {
      View view = view(look.post);
      if (!view.equals(look.view)) {
        look.movedAt = now;
      }
      look.view = view;
      look.version = version;
      look.viewedAt = now;
      if (view.ourTurn) {
        remove(look.post);
        look.post.wakeUp.run();
      }
    }
    long soonest = look.view.ahead == 0 ? SHORTEST_NANOS : look.view.ahead * PER_POSITION_NANOS;
    long later = Math.max((now - look.movedAt) / PART_OF_WAIT, soonest);
    look.nextAt = now + Math.min(later, LONGEST_NANOS);
  }

  private long version() {
    return store
        .read(store.patiently(Cancellation.none()), "PRAGMA data_version", row -> row.getLong(1))
        .get(0);
  }

  private View view(Post post) {
    return store
        .read(
            store.patiently(Cancellation.none()),
            sql.isOurTurn,
            row -> new View(row.getBoolean(1), row.getLong(2), row.getLong(3)),
            post.key.value(),
            post.id.value())
        .stream()
        .findFirst()
        .orElse(View.NONE);
  }

  /** Ends the watching thread. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      looks.clear();
    }
    news.fire();
  }
}
