package dev.syncguard.sync.jvm;

import dev.syncguard.sync.Timers;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The one thread on which an engine lives. Threads may share it to get there. */
final class EngineThread implements Timers, Executor {

  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
    Thread created = new Thread(work, "syncguard-reader");
    created.setDaemon(true);
    return created;
  });

  EngineThread() {
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Timer schedule(long delayMillis, Runnable task) {
    Future<?> planned = thread.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    return () -> planned.cancel(false);
  }

  /** Runs something there soon. After the end it is dropped, as is everything that was planned. */
  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      // An answer to an engine that is gone. What it did not learn, the next session asks for.
    }
  }

  /** Runs something there and waits for its result. */
  <T> T call(Callable<T> task) throws InterruptedException {
    try {
      return thread.submit(task).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("The engine failed", e.getCause());
    } catch (RejectedExecutionException | CancellationException e) {
      throw new IllegalStateException("This device was closed; open it again", e);
    }
  }

  /** Lets what is under way finish and drops what is planned for later. */
  void close(long patience, TimeUnit unit) {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(patience, unit)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
