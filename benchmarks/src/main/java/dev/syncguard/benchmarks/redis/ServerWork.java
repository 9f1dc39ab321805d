package dev.syncguard.benchmarks.redis;

/**
 * What a Redis server counted.
 *
 * @param reads how often it read from a connection: each is a message that somebody sent
 * @param commands how many commands it ran, those inside of scripts included
 * @param bytesIn how many bytes it was sent
 * @param scriptMicros how long its scripts took
 * @param cpuMicros how much time of processors it used, its connections included
 */
record ServerWork(long reads, long commands, long bytesIn, long scriptMicros, long cpuMicros) {

  /** How many bytes it takes to ask for the counters. */
  private static final int BYTES_TO_ASK = "*2\r\n$4\r\nINFO\r\n$3\r\nall\r\n".length();

  /** Returns what happened between two questions, without the second of them. */
  ServerWork since(ServerWork before) {
    return new ServerWork(
        reads - before.reads - 1,
        commands - before.commands - 1,
        bytesIn - before.bytesIn - BYTES_TO_ASK,
        scriptMicros - before.scriptMicros,
        cpuMicros - before.cpuMicros);
  }
}
