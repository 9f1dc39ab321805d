package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears when a waiter of this process is called: one channel, one connection and one thread, from the first wait on until
 * nobody has waited for a while.
 *
 * <p>Behind a pooler it counts as listening only once it has heard itself, told over another connection. If the pooler
 * lends sessions by the transaction, that never happens, and the waiters look around more often instead. What was told
 * while the connection was away is lost, so all waiters look again when it is back. Thread-safe.
 */
final class PostgresEar implements AutoCloseable {

  private static final String ECHO = "echo";
  private static final Duration LISTENING_AT_A_TIME = Duration.ofMillis(100);
  private static final Duration LONGEST_ECHO = Duration.ofSeconds(5);
  private static final Duration SILENCE_BEFORE_CHECK = Duration.ofSeconds(10);
  private static final Duration PAUSE_BEFORE_RECONNECT = Duration.ofMillis(500);
  private static final Duration PAUSE_WHEN_DEAF = Duration.ofMinutes(1);
  private static final Duration IDLE_BEFORE_LEAVING = Duration.ofMinutes(1);
  private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(5);

  /** A waiter looks around each second, so one that was not seen for this long is gone. */
  private static final long GONE_AFTER_MS = 60_000;

  private final PostgresStore store;
  private final PostgresSql sql;
  private final Time time;
  private final String channel = "syncguard_" + UUID.randomUUID().toString().replace("-", "");
  private final Map<Long, Runnable> waiters = new ConcurrentHashMap<>();
  private volatile boolean listening;
  private volatile long lastWantedNanos;
  private volatile boolean closed;
  private @Nullable Thread thread;

  PostgresEar(PostgresStore store, PostgresSql sql, Time time) {
    this.store = store;
    this.sql = sql;
    this.time = time;
  }

  String channel() {
    return channel;
  }

  boolean isListening() {
    return listening;
  }

  void expect(long token, Runnable wakeUp) {
    waiters.put(token, wakeUp);
  }

  void forget(long token) {
    waiters.remove(token);
  }

  /** Starts to listen if need be. Does not wait for it. */
  void listen() {
    lastWantedNanos = time.nanos();
    synchronized (this) {
      if (thread == null && !closed) {
        thread = new Thread(this::listenOnAndOn, "syncguard-postgres-ear");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void listenOnAndOn() {
    while (isWanted()) {
      boolean deaf = false;
      try (PostgresSession session = store.openToListen()) {
        deaf = !listenOn(session);
      } catch (SQLException | LockException e) {
        // The waiters look around from time to time anyway, so there is nothing to report.
      } finally {
        listening = false;
      }
      pause(deaf ? PAUSE_WHEN_DEAF : PAUSE_BEFORE_RECONNECT);
    }
  }

  /** Returns once nobody waits any more, or false if we cannot hear on such a connection. */
  private boolean listenOn(PostgresSession session) throws SQLException {
    PGConnection driver = session.driver().orElse(null);
    if (driver == null) {
      return false;
    }
    session.execute("LISTEN " + PostgresNames.quoted(channel));
    try {
      if (store.isBehindPooler(session)) {
        store.ask("SELECT pg_notify(?, ?)", row -> true, channel, ECHO);
      } else {
        begin();
      }
      long since = time.nanos();
      long checkedAt = since;
      while (isWanted()) {
        hear(driver.getNotifications((int) LISTENING_AT_A_TIME.toMillis()));
        long now = time.nanos();
        if (!listening && now - since > LONGEST_ECHO.toNanos()) {
          return false;
        }
        if (now - checkedAt > SILENCE_BEFORE_CHECK.toNanos()) {
          checkedAt = now;
          session.query(sql.sweep, row -> true, GONE_AFTER_MS);
        }
      }
      return true;
    } finally {
      session.execute("UNLISTEN " + PostgresNames.quoted(channel));
    }
  }

  private void begin() {
    listening = true;
    waiters.values().forEach(Runnable::run);
  }

  private void hear(PGNotification @Nullable [] notifications) {
    if (notifications == null) {
      return;
    }
    for (PGNotification notification : notifications) {
      if (!notification.getName().equals(channel)) {
        continue;
      }
      if (notification.getParameter().equals(ECHO)) {
        begin();
      } else {
        Runnable wakeUp = waiters.get(Long.valueOf(notification.getParameter()));
        if (wakeUp != null) {
          wakeUp.run();
        }
      }
    }
  }

  private synchronized boolean isWanted() {
    if (thread != Thread.currentThread()) {
      return false;
    }
    boolean idle =
        waiters.isEmpty() && time.nanos() - lastWantedNanos > IDLE_BEFORE_LEAVING.toNanos();
    if (closed || idle) {
      thread = null;
      return false;
    }
    return true;
  }

  private synchronized void pause(Duration duration) {
    long deadline = time.nanos() + duration.toNanos();
    try {
      long left = duration.toMillis();
      while (left > 0 && !closed && thread == Thread.currentThread()) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(deadline - time.nanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
      notifyAll();
    }
    if (running != null) {
      try {
        running.join(LONGEST_FAREWELL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
