package dev.syncguard.firestore.server;

import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that requests run on. An idle one is used before a new one is made, and only when there are as many as
 * allowed do requests queue: one that waits for a lock keeps its thread, and must not keep out the one that it waits for.
 * What is scheduled runs on a thread of its own; the web server asks for that, but has nothing to schedule.
 */
final class RequestThreads extends ThreadPoolExecutor implements ScheduledExecutorService {
  private static final int MAX_THREADS = 1024;

  /** Takes a task only if a thread waits for one; then the pool makes another thread. */
  private static final class Idle extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }

    void enqueue(Runnable task) {
      super.offer(task);
    }
  }

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("firestore-request-timer"));

  RequestThreads() {
    super(
        1, MAX_THREADS, 10, TimeUnit.SECONDS, new Idle(), DaemonThreads.named("firestore-request"));
    allowCoreThreadTimeOut(true);
    setRejectedExecutionHandler((task, pool) -> {
      if (pool.isShutdown()) {
        throw new RejectedExecutionException("The server is closed");
      }
      ((Idle) pool.getQueue()).enqueue(task);
    });
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return timer.schedule(task, delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return timer.schedule(task, delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return timer.scheduleAtFixedRate(task, initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    return timer.scheduleWithFixedDelay(task, initialDelay, delay, unit);
  }

  @Override
  protected void terminated() {
    timer.shutdownNow();
    super.terminated();
  }
}
