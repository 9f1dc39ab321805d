package dev.syncguard.benchmarks.postgres;

/**
 * What a PostgreSQL server counted.
 *
 * @param syncs how often anybody waited until the log was on disk, the server's own processes included
 * @param logBytes how much was written to the log
 */
record ServerWork(double syncs, double logBytes) {

  /** Returns what happened since then for each of so many. */
  ServerWork perEach(ServerWork before, int count) {
    return new ServerWork((syncs - before.syncs) / count, (logBytes - before.logBytes) / count);
  }
}
