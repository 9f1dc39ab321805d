package dev.syncguard.lock.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Lets several threads do something at the same moment. */
final class Together {

  private static final long DEADLINE_SECONDS = 120;

  private Together() {}

  /** Runs the work of each number below {@code count} in a thread of its own and returns the results in that order. */
  static <T> List<T> run(int count, IntFunction<T> work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      tasks.add(() -> {
        start.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        return work.apply(number);
      });
    }
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks, DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        results.add(done.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      threads.shutdownNow();
    }
  }
}
