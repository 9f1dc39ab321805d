package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Participant;

/** Takes free keys and gives them back at once. Each thread has keys of its own, which it uses in turn. */
public record KeyedPairs(String name, KeyedLock lock) implements Participant {

  private static final int KEYS = 64;

  /** Returns the keys of one thread. */
  public static SyncGuardPairs.Keys keys(int thread) {
    return new SyncGuardPairs.Keys() {
      private int turn;

      @Override
      public String next() {
        turn = (turn + 1) % KEYS;
        return "key-" + thread + "-" + turn;
      }
    };
  }

  @Override
  public Worker worker(int thread) {
    SyncGuardPairs.Keys keys = keys(thread);
    return () -> lock.underLock(keys.next(), () -> {});
  }

  @Override
  public void close() {
    lock.close();
  }
}
