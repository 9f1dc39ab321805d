package dev.syncguard.lock;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One thread that keeps the time and as many as needed that do the work; all of them end when idle. */
final class SystemBackground implements Background, AutoCloseable {

  private static final long IDLE_SECONDS = 10;

  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService workers;

  SystemBackground() {
    timer = new ScheduledThreadPoolExecutor(1, daemons("syncguard-timer-"));
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    workers = virtualThreadsOr(daemons("syncguard-worker-"));
  }

  @Override
  public Task after(Duration delay, Runnable work) {
    try {
      Future<?> future = delay.isZero()
          ? workers.submit(work)
          : timer.schedule(() -> workers.execute(work), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      // Closed: there is nobody left to do it for.
      return () -> {};
    }
  }

  @Override
  public void close() {
    timer.shutdown();
    workers.shutdown();
  }

  /** From Java 21 on a waiting worker costs next to nothing. */
  private static ExecutorService virtualThreadsOr(ThreadFactory platformThreads) {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return Executors.newCachedThreadPool(platformThreads);
    }
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
