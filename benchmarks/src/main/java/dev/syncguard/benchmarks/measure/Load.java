package dev.syncguard.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** So many threads that do nothing else than let a participant work, for a slice of time, once it is warm. */
public record Load(int threads, Duration slice, int warmUp) {

  /** Lets the participant do what it does once for all before it is measured. */
  public void warmUp(Participant participant) throws Exception {
    Participant.Worker worker = participant.worker(0);
    for (int i = 0; i < warmUp; i++) {
      worker.once();
    }
  }

  /** Lets the participant work for one slice. */
  public Slice on(Participant participant) throws InterruptedException {
    long start = System.nanoTime();
    long deadline = start + slice.toNanos();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<long[]>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Participant.Worker worker = participant.worker(thread);
        running.add(pool.submit(() -> repeat(worker, deadline)));
      }
      List<long[]> nanos = new ArrayList<>();
      for (Future<long[]> each : running) {
        nanos.add(each.get());
      }
      return Slice.of(nanos, (System.nanoTime() - start) / 1e9);
    } catch (ExecutionException e) {
      throw new IllegalStateException(participant.name() + " failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Returns how long each operation took. */
  private static long[] repeat(Participant.Worker worker, long deadline) throws Exception {
    long[] nanos = new long[1024];
    int count = 0;
    long before = System.nanoTime();
    do {
      worker.once();
      long after = System.nanoTime();
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = after - before;
      before = after;
    } while (before - deadline < 0);
    return Arrays.copyOf(nanos, count);
  }
}
