package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private final List<Post> posts = new ArrayList<>();
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

    // What the watching thread last saw.
    private View view = View.NONE;
    private long version;
    private long viewedAt;
    private long movedAt;
    private long nextLookAt;

    Post(LockKey key, LockId id, Runnable wakeUp) {
      this.key = key;
      this.id = id;
      this.wakeUp = wakeUp;
    }
  }

  /** How things stand for one who waits: the line has moved if this has changed. */
  private record View(boolean ourTurn, long ahead, long fence) {
    static final View NONE = new View(false, -1, -1);
  }

  /** Wakes this one, once, as soon as another attempt is worth while. */
  synchronized void add(Post post) {
    if (closed || posts.contains(post)) {
      return;
    }
    post.view = View.NONE;
    post.nextLookAt = time.nanos();
    posts.add(post);
    if (thread == null) {
      thread = new Thread(this::run, "syncguard-sqlite-watch");
      thread.setDaemon(true);
      thread.start();
    }
    news.fire();
  }

  synchronized void remove(Post post) {
    posts.remove(post);
  }

  private void run() {
    try {
      boolean idle = false;
      while (true) {
        List<Post> waiting;
        synchronized (this) {
          if (closed || (idle && posts.isEmpty())) {
            thread = null;
            return;
          }
          waiting = List.copyOf(posts);
        }
        boolean hasNews = news.await(Duration.ofNanos(lookFor(waiting)));
        idle = waiting.isEmpty() && !hasNews;
      }
    } catch (InterruptedException e) {
      // Only we know this thread. Without it, those who wait try again when they lose patience.
      Thread.currentThread().interrupt();
    }
  }

  /** Looks for all whose time it is, and returns how long to wait before the next one is due. */
  private long lookFor(List<Post> waiting) {
    long pause = waiting.isEmpty() ? LINGER_NANOS : LONGEST_NANOS;
    try {
      long version = -1;
      for (Post post : waiting) {
        long now = time.nanos();
        if (now - post.nextLookAt >= 0) {
          version = version == -1 ? version() : version;
          look(post, version, now);
        }
        pause = Math.min(pause, Math.max(post.nextLookAt - time.nanos(), 0));
      }
    } catch (LockException e) {
      // The file cannot be read just now. Those who wait will learn it from their next attempt.
      return LONGEST_NANOS;
    }
    return pause;
  }

  private void look(Post post, long version, long now) {
    // Time passes without changing the file, and may end a lease.
    if (version != post.version || now - post.viewedAt >= LONGEST_NANOS) {
      View view = view(post);
      if (!view.equals(post.view)) {
        post.movedAt = now;
      }
      post.view = view;
      post.version = version;
      post.viewedAt = now;
      if (view.ourTurn) {
        remove(post);
        post.wakeUp.run();
      }
    }
    long soonest = post.view.ahead == 0 ? SHORTEST_NANOS : post.view.ahead * PER_POSITION_NANOS;
    long later = Math.max((now - post.movedAt) / PART_OF_WAIT, soonest);
    post.nextLookAt = now + Math.min(later, LONGEST_NANOS);
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
      posts.clear();
    }
    news.fire();
  }
}
