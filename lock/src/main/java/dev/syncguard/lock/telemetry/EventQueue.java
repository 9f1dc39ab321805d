package dev.syncguard.lock.telemetry;

import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Delivers events one after the other on a daemon thread, which ends when there is nothing to do.
 *
 * <p>It is bounded: whoever cannot keep up loses events rather than the memory of the program.
 */
final class EventQueue implements Executor {

  private static final int CAPACITY = 10_000;
  private static final long IDLE_SECONDS = 5;

  private final System.Logger log;
  private final AtomicBoolean lossTold = new AtomicBoolean();
  private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
      1,
      1,
      IDLE_SECONDS,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(CAPACITY),
      EventQueue::newThread,
      (event, full) -> tellOfLoss());

  EventQueue() {
    this(System.getLogger(EventQueue.class.getName()));
  }

  /** Tells this log of losses. */
  EventQueue(System.Logger log) {
    this.log = log;
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "syncguard-telemetry");
    thread.setDaemon(true);
    return thread;
  }

  private void tellOfLoss() {
    if (lossTold.compareAndSet(false, true)) {
      log.log(
          Level.WARNING,
          "The telemetry listener is too slow: events are dropped while {0} others wait",
          CAPACITY);
    }
  }

  @Override
  public void execute(Runnable delivery) {
    thread.execute(delivery);
  }
}
