package dev.syncguard.sync.simulation;

import java.util.Random;

/**
 * What a whole story suffers from, besides its network. Half of the stories are spared, and tell the same as if there were
 * no such thing: chance is this one's own.
 */
enum Circumstance {
  /** For some time a device sits behind a proxy that answers everything itself. */
  PROXY,

  /** Clocks are years off, and are set right later or not at all. */
  YEARS_OFF,

  /** The tabs of a device hear of each other's values late, as in userscript managers. */
  LATE_VALUES,

  /** For some time the server has no quota left for writes; reads go on. */
  WRITE_QUOTA,

  NONE;

  private static final int ONE_IN = 8;

  static Circumstance of(Random random) {
    return switch (random.nextInt(ONE_IN)) {
      case 0 -> PROXY;
      case 1 -> YEARS_OFF;
      case 2 -> LATE_VALUES;
      case 3 -> WRITE_QUOTA;
      default -> NONE;
    };
  }
}
