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

  NONE;

  private static final int ONE_IN = 4;

  static Circumstance of(Random random) {
    return switch (random.nextInt(ONE_IN)) {
      case 0 -> PROXY;
      case 1 -> YEARS_OFF;
      default -> NONE;
    };
  }
}
