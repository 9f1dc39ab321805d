package dev.syncguard.sync.simulation;

import java.util.Random;

/**
 * What a whole story suffers from, besides its network. Half of the stories are spared, and tell the same as if there were
 * no such thing: chance is this one's own.
 */
enum Circumstance {
  /** The tabs of a browser hear late of each other's values, and write whole values meanwhile. */
  LATE_VALUES,

  /** For some time a device sits behind a proxy that answers everything itself. */
  PROXY,

  /** For hours the server has quota for reads and none for writes. */
  NO_WRITES,

  /** Clocks are years off, and are set right later or not at all. */
  YEARS_OFF,

  NONE;

  private static final int ONE_IN = 8;

  static Circumstance of(Random random) {
    int drawn = random.nextInt(ONE_IN);
    return drawn < NONE.ordinal() ? values()[drawn] : NONE;
  }
}
