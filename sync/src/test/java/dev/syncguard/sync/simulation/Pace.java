package dev.syncguard.sync.simulation;

/** When somebody last pushed from a device, whichever tab did it. */
final class Pace {

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
}
