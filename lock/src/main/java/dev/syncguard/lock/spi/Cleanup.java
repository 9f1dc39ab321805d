package dev.syncguard.lock.spi;

import static java.lang.System.Logger.Level.DEBUG;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cleans up once in a while, away from the thread of whoever happened to notice, and never twice at once. Its thread
 * exists only while there is something to clean. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {

  private static final System.Logger log = System.getLogger(Cleanup.class.getName());

  private final CleanupPace pace;
  private final Executor executor;
  private final Runnable shutdown;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile boolean closed;

  private Cleanup(CleanupPace pace, Executor executor, Runnable shutdown) {
    this.pace = pace;
    this.executor = executor;
    this.shutdown = shutdown;
  }

  /** Returns one with a thread of its own that cleans at most once in the interval. */
  public static Cleanup every(Duration interval, Time time) {
    ThreadPoolExecutor own = new ThreadPoolExecutor(
        1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Cleanup::thread);
    own.allowCoreThreadTimeOut(true);
    return new Cleanup(new CleanupPace(interval, time), own, own::shutdown);
  }

  /** Returns one that leaves the work to an executor, which stays the caller's. */
  public static Cleanup every(Duration interval, Time time, Executor executor) {
    return new Cleanup(new CleanupPace(interval, time), executor, () -> {});
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "syncguard-cleanup");
    thread.setDaemon(true);
    return thread;
  }

  /** Does it soon, if the last one was long enough ago and none is under way. Never waits and never fails. */
  public void offer(Runnable cleaning) {
    if (closed || !pace.isDue() || !underWay.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(() -> run(cleaning));
    } catch (RejectedExecutionException e) {
      underWay.set(false);
    }
  }

  private void run(Runnable cleaning) {
    try {
      if (!closed) {
        cleaning.run();
      }
    } catch (RuntimeException e) {
      log.log(DEBUG, "Cleaning failed; whoever takes the key next does it anyway", e);
    } finally {
      underWay.set(false);
    }
  }

  /** Begins no other cleaning. One that is under way ends with the connection that it uses. */
  @Override
  public void close() {
    closed = true;
    shutdown.run();
  }
}
