package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Background;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thread that keeps the time and as many as needed that do the work. All of them are daemons and end when idle, so
 * nobody has to stop them, and a lease can be reported lost or given back as long as the process lives.
 */
public final class SystemBackground implements Background {

  private static final long IDLE_SECONDS = 10;
  private static final long RETRY_MILLIS = 100;
  private static final System.Logger log = System.getLogger(SystemBackground.class.getName());

  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService workers;

  public SystemBackground() {
    this(virtualThreadsOr(daemons("syncguard-worker-")));
  }

  SystemBackground(ExecutorService workers) {
    this.workers = workers;
    timer = new ScheduledThreadPoolExecutor(1, daemons("syncguard-timer-"));
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Task after(Duration delay, Runnable work) {
    Runnable told = () -> run(work);
    Future<?> future = delay.isZero()
        ? workers.submit(told)
        : timer.schedule(() -> handOver(told), delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** Nobody else plans this work again, so a machine that has no room for a thread is asked until it has. */
  private void handOver(Runnable work) {
    try {
      workers.execute(work);
    } catch (RuntimeException | Error e) {
      Future<?> unused = timer.schedule(() -> handOver(work), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Does the work, and tells what goes wrong: nobody looks at the future of work in the background. */
  private static void run(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      log.log(System.Logger.Level.WARNING, "Work in the background of locks failed", e);
      throw e;
    }
  }

  /** From Java 21 on a waiting worker costs next to nothing. */
  private static ExecutorService virtualThreadsOr(ThreadFactory platformThreads) {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          platformThreads);
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
