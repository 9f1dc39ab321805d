package dev.syncguard.benchmarks.postgres;

/**
 * What a PostgreSQL server counted.
 *
 * @param transactions how many were committed; whoever begins none has one for each statement
 * @param cpuMicros how much processor time the session used whose work is counted
 * @param syncs how often anybody waited until the log was on disk, the server's own processes included
 * @param logBytes how much was written to the log
 */
record ServerWork(double transactions, double cpuMicros, double syncs, double logBytes) {

  /** Returns what happened since then for each of so many. */
  ServerWork perEach(ServerWork before, int count) {
    return new ServerWork(
        (transactions - before.transactions) / count,
        (cpuMicros - before.cpuMicros) / count,
        (syncs - before.syncs) / count,
        (logBytes - before.logBytes) / count);
  }
}
