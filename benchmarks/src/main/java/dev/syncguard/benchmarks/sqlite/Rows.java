package dev.syncguard.benchmarks.sqlite;

/** The rows or keys that one thread uses in turn: so many that they fill some pages, and none that another uses. */
final class Rows {

  static final int COUNT = 1024;
  private static final int MOST_THREADS = 16;

  private int row;

  Rows(int thread) {
    row = thread;
  }

  int next() {
    row = (row + MOST_THREADS) % COUNT;
    return row;
  }
}
