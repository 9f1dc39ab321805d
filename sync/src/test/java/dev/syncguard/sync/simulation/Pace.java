package dev.syncguard.sync.simulation;

/** When somebody last pushed from a device, whichever tab did it. */
final class Pace {

  private static final long MINUTE = 60_000;
  private static final long[] PAUSES = {5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 360 * MINUTE};

  long lastPush = Long.MIN_VALUE / 2;
  long lastReadOnlyPush = Long.MIN_VALUE / 2;
  long confirmedAt = Long.MIN_VALUE / 2;

  /** How often the device had crashed or its clock had jumped when the last push was confirmed. */
  int mishaps;

  void confirmed(long appliedAt, long now, boolean readOnly, int mishapsNow) {
    lastPush = appliedAt;
    lastReadOnlyPush = readOnly ? appliedAt : lastReadOnlyPush;
    confirmedAt = now;
    mishaps = mishapsNow;
  }

  /** How many commits in a row the server has refused for lack of quota, and when the last one. */
  int refusals;

  long refusedAt;
  int mishapsAtRefusal;
  private int shortageAtRefusal;

  /**
   * Takes note of a refusal.
   *
   * @param shortage which of the times without quota it is: the device may have learnt by reading that an earlier one is over
   */
  void refused(long now, int mishapsSoFar, int shortage) {
    boolean again = mishapsSoFar == mishapsAtRefusal && shortage == shortageAtRefusal;
    refusals = again ? refusals + 1 : 1;
    refusedAt = now;
    mishapsAtRefusal = mishapsSoFar;
    shortageAtRefusal = shortage;
  }

  /** Returns how long nothing may be written from now on, after so many refusals. */
  long pauseAfterRefusals() {
    return refusals == 0 ? 0 : PAUSES[Math.min(refusals, PAUSES.length) - 1];
  }
}
