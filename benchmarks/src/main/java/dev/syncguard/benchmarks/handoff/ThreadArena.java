package dev.syncguard.benchmarks.handoff;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Contenders on threads of this process. */
public final class ThreadArena implements Arena {

  private final List<Contender> contenders;
  private final Baton baton;

  /** Takes one contender for each thread; threads that should share one are given the same. */
  public ThreadArena(List<? extends Contender> contenders, Path batonFile) throws Exception {
    this.contenders = List.copyOf(contenders);
    this.baton = Baton.in(batonFile);
  }

  @Override
  public HandOffs contest(Duration duration) throws Exception {
    return contest(duration, Turns.HOLD);
  }

  @Override
  public void warmUp(Duration duration) throws Exception {
    contest(duration, Duration.ZERO);
  }

  private HandOffs contest(Duration duration, Duration hold) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(contenders.size());
    try {
      List<Future<Showing>> running = new ArrayList<>();
      for (Contender contender : contenders) {
        Turns turns = new Turns(contender, baton, running.size() + 1, hold);
        running.add(pool.submit(turns::take));
      }
      baton.open();
      long start = System.nanoTime();
      Thread.sleep(duration.toMillis());
      baton.close();
      double seconds = (System.nanoTime() - start) / 1e9;
      List<Showing> showings = new ArrayList<>();
      for (Future<Showing> each : running) {
        showings.add(each.get());
      }
      return HandOffs.of(baton.handOffs(), seconds, showings);
    } catch (ExecutionException e) {
      throw new IllegalStateException("A contender failed", e.getCause());
    } finally {
      baton.close();
      pool.shutdownNow();
    }
  }

  @Override
  public void close() {
    new LinkedHashSet<>(contenders).forEach(Contender::close);
  }
}
