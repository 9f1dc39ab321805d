package dev.syncguard.lock.jdbc;

import static java.lang.System.Logger.Level.DEBUG;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.CleanupPace;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Cleans up once in a while, away from the thread of whoever happened to notice. Its thread exists only while there is
 * something to clean. Thread-safe.
 */
final class Cleanup implements AutoCloseable {

  private static final System.Logger log = System.getLogger(Cleanup.class.getName());

  private final boolean wanted;
  private final CleanupPace pace;
  private final ThreadPoolExecutor background =
      new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Cleanup::thread);

  Cleanup(boolean wanted, Duration interval, Time time) {
    this.wanted = wanted;
    this.pace = new CleanupPace(interval, time);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "syncguard-cleanup");
    thread.setDaemon(true);
    return thread;
  }

  /** Does it if cleaning is wanted at all, if the last one was long enough ago, and if none is under way. */
  void offer(Runnable cleaning) {
    if (wanted && pace.isDue()) {
      try {
        background.execute(() -> run(cleaning));
      } catch (RejectedExecutionException e) {
        // The last one is still at it, or we were closed.
      }
    }
  }

  private static void run(Runnable cleaning) {
    try {
      cleaning.run();
    } catch (LockException e) {
      log.log(DEBUG, "Cleaning failed; whoever takes the key next does it anyway", e);
    }
  }

  @Override
  public void close() {
    background.shutdown();
  }
}
