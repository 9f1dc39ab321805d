package dev.syncguard.benchmarks.handoff;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Contenders that each are a process of their own.
 *
 * <p>The processes stay alive between contests, where they wait for a line on their input and cost nothing.
 */
public final class ProcessArena implements Arena {

  private final Baton baton;
  private final List<ContenderProcess> processes = new ArrayList<>();

  /** Starts the processes, and waits until all have opened the store. */
  public ProcessArena(
      Class<? extends Contender> contender, String location, int count, Path batonFile)
      throws Exception {
    baton = Baton.in(batonFile);
    try {
      for (int number = 1; number <= count; number++) {
        processes.add(ContenderProcess.start(contender, location, batonFile, number));
      }
      for (ContenderProcess process : processes) {
        process.expect(ContenderMain.READY);
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  @Override
  public HandOffs contest(Duration duration) throws Exception {
    return contest(duration, ContenderMain.CONTEST);
  }

  @Override
  public void warmUp(Duration duration) throws Exception {
    contest(duration, ContenderMain.WARM_UP);
  }

  private HandOffs contest(Duration duration, String kind) throws Exception {
    for (ContenderProcess process : processes) {
      process.send(kind);
    }
    for (ContenderProcess process : processes) {
      process.expect(ContenderMain.READY);
    }
    baton.open();
    long start = System.nanoTime();
    Thread.sleep(duration.toMillis());
    baton.close();
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Showing> showings = new ArrayList<>();
    for (ContenderProcess process : processes) {
      showings.add(Showing.parse(process.answer()));
    }
    return HandOffs.of(baton.handOffs(), seconds, showings);
  }

  @Override
  public void close() {
    baton.close();
    processes.forEach(ContenderProcess::close);
  }
}
