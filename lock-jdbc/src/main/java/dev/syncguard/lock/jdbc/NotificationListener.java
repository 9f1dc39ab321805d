package dev.syncguard.lock.jdbc;

import static java.lang.System.Logger.Level.WARNING;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears when a waiter of this process is called: one channel, one connection and one thread, from the first wait on until
 * nobody has waited for a while.
 *
 * <p>Behind a pooler it counts as listening only once it has heard itself, told over another connection. If the pooler
 * lends sessions by the transaction, that never happens, and the waiters poll instead. What was told while the connection was
 * away is lost, so all waiters look again when it is back, which also ends an outage for them at once. Thread-safe.
 */
final class NotificationListener implements AutoCloseable {

  private static final System.Logger log = System.getLogger(NotificationListener.class.getName());
  private static final String ECHO = "echo";
  private static final Duration LISTENING_AT_A_TIME = Duration.ofMillis(100);
  private static final Duration LONGEST_ECHO = Duration.ofSeconds(5);
  private static final Duration SILENCE_BEFORE_CHECK = Duration.ofSeconds(10);
  private static final Duration PAUSE_BEFORE_RECONNECT = Duration.ofMillis(100);
  private static final Duration PAUSE_WITHOUT_NOTIFY = Duration.ofMinutes(1);
  private static final Duration IDLE_BEFORE_LEAVING = Duration.ofMinutes(1);
  private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(5);

  private static final PGNotification[] NONE = {};

  /** A waiter looks around each second, so one that was not seen for this long is gone. */
  static final long GONE_AFTER_MS = 60_000;

  private final PostgresStore store;
  private final PostgresSql sql;
  private final Time time;
  private final String channel = "syncguard_" + UUID.randomUUID().toString().replace("-", "");
  private final Map<Long, Runnable> waiters = new ConcurrentHashMap<>();
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition closing = guard.newCondition();
  private volatile boolean listening;
  private volatile long lastWantedNanos;
  private boolean closed;
  private @Nullable Thread thread;

  NotificationListener(PostgresStore store, PostgresSql sql, Time time) {
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
    guard.lock();
    try {
      if (thread == null && !closed) {
        thread = new Thread(this::run, "syncguard-postgres-listener");
        thread.setDaemon(true);
        thread.start();
      }
    } finally {
      guard.unlock();
    }
  }

  private void run() {
    while (isWanted()) {
      Duration pause = PAUSE_BEFORE_RECONNECT;
      try (PostgresSession session = store.openToListen()) {
        pause = listenUntilNobodyWaits(session) ? PAUSE_BEFORE_RECONNECT : PAUSE_WITHOUT_NOTIFY;
      } catch (SQLException | LockException e) {
        // The waiters look around from time to time anyway, so there is nothing to report.
      } catch (RuntimeException | Error e) {
        log.log(WARNING, "Listening for wake-ups failed and is begun again", e);
      } finally {
        listening = false;
      }
      pause(pause);
    }
  }

  /** Returns once nobody waits any more, or false if there are no notifications on such a connection. */
  private boolean listenUntilNobodyWaits(PostgresSession session) throws SQLException {
    PGConnection driver = session.driver().orElse(null);
    if (driver == null) {
      return false;
    }
    session.execute("LISTEN " + PostgresNames.quoted(channel));
    try {
      if (store.isBehindPooler(session)) {
        store.query(Cancellation.none(), "SELECT pg_notify(?, ?)", row -> true, channel, ECHO);
      } else {
        begin();
      }
      long since = time.nanos();
      long checkedAt = since;
      while (isWanted()) {
        PGNotification[] notifications =
            driver.getNotifications((int) LISTENING_AT_A_TIME.toMillis());
        for (PGNotification each : notifications == null ? NONE : notifications) {
          receive(each);
        }
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
    waiters.values().forEach(NotificationListener::wake);
  }

  private void receive(PGNotification notification) {
    if (!notification.getName().equals(channel)) {
      return;
    }
    if (notification.getParameter().equals(ECHO)) {
      begin();
      return;
    }
    try {
      Runnable wakeUp = waiters.get(Long.valueOf(notification.getParameter()));
      if (wakeUp != null) {
        wake(wakeUp);
      }
    } catch (NumberFormatException e) {
      // Not from us. Whoever it was may have meant well, and looking costs little.
      begin();
    }
  }

  private static void wake(Runnable wakeUp) {
    try {
      wakeUp.run();
    } catch (RuntimeException | Error e) {
      log.log(WARNING, "A waiter could not be woken; it looks by itself a little later", e);
    }
  }

  private boolean isWanted() {
    guard.lock();
    try {
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
    } finally {
      guard.unlock();
    }
  }

  private void pause(Duration duration) {
    guard.lock();
    try {
      long left = duration.toNanos();
      while (left > 0 && !closed) {
        left = closing.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Only we know this thread, and it ends when it is not wanted any more.
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void close() {
    Thread running;
    guard.lock();
    try {
      closed = true;
      running = thread;
      closing.signalAll();
    } finally {
      guard.unlock();
    }
    if (running != null && running != Thread.currentThread()) {
      try {
        running.join(LONGEST_FAREWELL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
