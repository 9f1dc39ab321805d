package dev.syncguard.benchmarks.handoff;

import java.time.Duration;

/** Where contenders meet: in one process, or each in its own. */
public interface Arena extends AutoCloseable {

  /** Lets all contenders pass the lock around for this long. */
  HandOffs contest(Duration duration) throws Exception;

  /** Lets them do the same without holding the lock, so that what they run is compiled before a contest counts. */
  void warmUp(Duration duration) throws Exception;

  @Override
  void close();
}
