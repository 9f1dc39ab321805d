package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Hears when a waiter of this process is called: one channel, one connection and one thread, from the first wait on.
 *
 * <p>The connection is our own, beside the client's pool. What was called while it was away is lost, so all waiters look
 * again once it is back. Thread-safe.
 */
final class WakeUps implements AutoCloseable {

  private static final Duration PAUSE_BEFORE_RECONNECT = Duration.ofMillis(100);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);
  private static final Duration LONGEST_ECHO = Duration.ofSeconds(5);
  private static final Duration LONGEST_UNSUBSCRIBING = Duration.ofSeconds(1);
  private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(5);
  private static final System.Logger log = System.getLogger(WakeUps.class.getName());

  private final Connections connections;
  private final String channel;
  private final Consumer<String> callOurselves;
  private final Time time;
  private final Map<String, Runnable> waiters = new ConcurrentHashMap<>();
  private volatile boolean listening;
  private volatile long lastHeardNanos;

  // A lock rather than a monitor: waiting in a monitor pins a virtual thread to its carrier.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean failing;
  private boolean closed;
  private @Nullable Thread thread;
  private @Nullable Connection connection;
  private @Nullable JedisPubSub subscription;
  private boolean callsItself;
  private long calledAtNanos;

  /**
   * Creates the listener of one process.
   *
   * @param callOurselves publishes something on the channel, or fails without a word
   */
  WakeUps(Connections connections, String channel, Consumer<String> callOurselves, Time time) {
    this.connections = connections;
    this.channel = channel;
    this.callOurselves = callOurselves;
    this.time = time;
  }

  String channel() {
    return channel;
  }

  boolean isListening() {
    return listening;
  }

  void expect(LockId id, Runnable wakeUp) {
    waiters.put(id.value(), wakeUp);
  }

  void forget(LockId id) {
    waiters.remove(id.value());
  }

  /** Starts to listen if need be, and returns whether we do within the time given. */
  boolean listen(Duration atMost) {
    lock.lock();
    try {
      if (thread == null && !closed) {
        failing = false;
        thread = new Thread(this::listenUntilClosed, "syncguard-redis-wake-ups");
        thread.setDaemon(true);
        thread.start();
      }
      await(atMost, () -> listening || failing);
      return listening;
    } finally {
      lock.unlock();
    }
  }

  private void listenUntilClosed() {
    while (isWanted()) {
      try (Connection own = connections.open()) {
        Listener listener = new Listener();
        if (begin(own, listener)) {
          listener.proceed(own, channel);
        }
      } catch (JedisException e) {
        // The waiters look again from time to time anyway, so there is nothing to report; and
        // whatever it was, the next connection may do better.
      } catch (Throwable e) {
        // Even an Error must not end this thread: nobody would be woken from then on, and nobody
        // told.
        log.log(Level.WARNING, () -> "Listening for released locks failed and starts again", e);
      } finally {
        end();
      }
      pauseBeforeReconnect();
    }
  }

  private boolean isWanted() {
    lock.lock();
    try {
      boolean wanted = !closed && !(failing && waiters.isEmpty());
      if (!wanted) {
        thread = null;
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  private boolean begin(Connection own, Listener listener) {
    lock.lock();
    try {
      connection = own;
      subscription = listener;
      callsItself = false;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      connection = null;
      subscription = null;
      listening = false;
      failing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void pauseBeforeReconnect() {
    lock.lock();
    try {
      await(PAUSE_BEFORE_RECONNECT, () -> false);
    } finally {
      lock.unlock();
    }
  }

  private void await(Duration atMost, BooleanSupplier over) {
    try {
      long left = atMost.toNanos();
      while (left > 0 && !closed && !over.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Listener extends JedisPubSub {
    @Override
    public void onSubscribe(String ours, int count) {
      // First those who waited through the gap: whoever joins once we are said to listen has looked
      // after that, and would be woken for nothing.
      waiters.values().forEach(WakeUps::wake);
      lock.lock();
      try {
        lastHeardNanos = time.nanos();
        listening = true;
        failing = false;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onMessage(String ours, String id) {
      lastHeardNanos = time.nanos();
      Runnable wakeUp = waiters.get(id);
      if (wakeUp != null) {
        wake(wakeUp);
      }
    }
  }

  /** Wakes one waiter. If that fails, the others still want to hear. */
  private static void wake(Runnable wakeUp) {
    try {
      wakeUp.run();
    } catch (RuntimeException e) {
      log.log(Level.WARNING, () -> "A waiter could not be woken; it will look by itself", e);
    }
  }

  /** Notices a connection that died without a word; called by whoever waits anyway. */
  void checkPulse() {
    if (time.nanos() - lastHeardNanos >= LONGEST_SILENCE.toNanos() && isTimeToCall()) {
      callOurselves.accept(channel);
    }
  }

  /** Returns whether to make sure now that we hear. Hangs up if we called ourselves and did not hear it. */
  private boolean isTimeToCall() {
    lock.lock();
    try {
      long now = time.nanos();
      if (!listening) {
        return false;
      }
      if (!callsItself || lastHeardNanos - calledAtNanos > 0) {
        callsItself = true;
        calledAtNanos = now;
        return true;
      }
      if (now - calledAtNanos > LONGEST_ECHO.toNanos()) {
        hangUp();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void hangUp() {
    if (connection != null) {
      try {
        connection.disconnect();
      } catch (JedisException e) {
        // It is gone either way.
      }
    }
  }

  /** Returns only when the server calls nobody here any more, or does not answer. */
  @Override
  public void close() {
    Thread listener;
    JedisPubSub leaving;
    lock.lock();
    try {
      closed = true;
      listener = thread;
      leaving = listening ? subscription : null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (listener == null) {
      return;
    }
    if (leaving != null) {
      try {
        leaving.unsubscribe();
        join(listener, LONGEST_UNSUBSCRIBING);
      } catch (JedisException e) {
        // Then by force.
      }
    }
    lock.lock();
    try {
      hangUp();
    } finally {
      lock.unlock();
    }
    join(listener, LONGEST_FAREWELL);
  }

  private static void join(Thread thread, Duration atMost) {
    try {
      thread.join(atMost.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
