package dev.syncguard.benchmarks.fence;

import dev.syncguard.benchmarks.measure.Participant;

/** Somebody who repeats one write. */
record Writes(String name, Participant.Worker write) implements Participant {

  @Override
  public Worker worker(int thread) {
    return write;
  }

  @Override
  public void close() {}
}
