package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;

/**
 * Hears when a waiter of this process is called: one channel, one connection and one thread, from the first wait on.
 *
 * <p>What was called while the connection was away is lost, so all waiters look again once it is back. Threads may share
 * it; the fields are guarded by its monitor.
 */
final class WakeUps implements AutoCloseable {

  private static final Duration PAUSE_BEFORE_RECONNECT = Duration.ofMillis(250);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);
  private static final Duration LONGEST_ECHO = Duration.ofSeconds(5);
  private static final Duration LONGEST_FAREWELL = Duration.ofSeconds(5);

  private final Connections connections;
  private final String channel;
  private final Consumer<String> callOurselves;
  private final Time time;
  private final Map<String, Runnable> waiters = new ConcurrentHashMap<>();
  private volatile boolean listening;
  private volatile long lastHeardNanos;
  private boolean failing;
  private boolean closed;
  private @Nullable Thread thread;
  private @Nullable Connection connection;
  private boolean callsItself;
  private long calledAtNanos;

  /**
   * Creates the ear of one process.
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
  synchronized boolean listen(Duration atMost) {
    if (thread == null && !closed) {
      failing = false;
      thread = new Thread(this::listenOnAndOn, "syncguard-redis-wake-ups");
      thread.setDaemon(true);
      thread.start();
    }
    await(atMost, () -> listening || failing);
    return listening;
  }

  private void listenOnAndOn() {
    while (isWanted()) {
      try (Connection borrowed = connections.borrow()) {
        try {
          if (begin(borrowed)) {
            new Listener().proceed(borrowed, channel);
          }
        } finally {
          // Whatever ended it, this connection is still subscribed. Its next user would take
          // messages
          // for replies, and from then on every reply for the one before: even a grant.
          borrowed.setBroken();
        }
      } catch (RuntimeException e) {
        // The waiters look again from time to time anyway, so there is nothing to report; and
        // whatever it was, the next connection may do better.
      } finally {
        end();
      }
      pauseBeforeReconnect();
    }
  }

  private synchronized boolean isWanted() {
    boolean wanted = !closed && !(failing && waiters.isEmpty());
    if (!wanted) {
      thread = null;
    }
    return wanted;
  }

  private synchronized boolean begin(Connection borrowed) {
    connection = borrowed;
    callsItself = false;
    return !closed;
  }

  private synchronized void end() {
    connection = null;
    listening = false;
    failing = true;
    notifyAll();
  }

  private synchronized void pauseBeforeReconnect() {
    await(PAUSE_BEFORE_RECONNECT, () -> false);
  }

  private void await(Duration atMost, BooleanSupplier over) {
    long deadline = time.nanos() + atMost.toNanos();
    try {
      long left = atMost.toMillis();
      while (left > 0 && !closed && !over.getAsBoolean()) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(deadline - time.nanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Listener extends JedisPubSub {
    @Override
    public void onSubscribe(String ours, int count) {
      synchronized (WakeUps.this) {
        lastHeardNanos = time.nanos();
        listening = true;
        failing = false;
        WakeUps.this.notifyAll();
      }
      waiters.values().forEach(Runnable::run);
    }

    @Override
    public void onMessage(String ours, String id) {
      lastHeardNanos = time.nanos();
      Runnable wakeUp = waiters.get(id);
      if (wakeUp != null) {
        wakeUp.run();
      }
    }
  }

  /** Notices a connection that died without a word; called by whoever waits anyway. */
  void checkPulse() {
    if (time.nanos() - lastHeardNanos >= LONGEST_SILENCE.toNanos() && isTimeToCall()) {
      callOurselves.accept(channel);
    }
  }

  /** Returns whether to make sure now that we hear. Hangs up if we called ourselves and did not hear it. */
  private synchronized boolean isTimeToCall() {
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
  }

  private void hangUp() {
    if (connection != null) {
      try {
        connection.forceDisconnect();
      } catch (IOException e) {
        // It is gone either way.
      }
    }
  }

  @Override
  public void close() {
    Thread listening;
    synchronized (this) {
      closed = true;
      listening = thread;
      hangUp();
      notifyAll();
    }
    if (listening != null) {
      try {
        listening.join(LONGEST_FAREWELL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
