package dev.syncguard.benchmarks.measure;

/** One of those who are measured side by side. */
public interface Participant extends AutoCloseable {

  String name();

  /** Returns what one thread repeats; each thread asks for its own, with numbers from 0. */
  Worker worker(int thread);

  @Override
  void close();

  /** Does the same small thing over and over. Not thread-safe. */
  interface Worker {
    void once() throws Exception;
  }
}
