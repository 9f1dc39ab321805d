package dev.syncguard.sync.simulation;

/** When somebody last pushed from a device, whichever tab did it, and how sure their tabs can be of that. */
final class Pace {
  private static final long[] COOLDOWNS = {0, 5 * 60_000, 15 * 60_000, 60 * 60_000, 360 * 60_000};

  long lastPush = Long.MIN_VALUE / 2;
  long lastReadOnlyPush = Long.MIN_VALUE / 2;

  /** When the last push was confirmed, and how often the device had crashed or its clock had jumped by then. */
  long confirmedAt = Long.MIN_VALUE / 2;

  int mishaps;

  private long refusedAt = Long.MIN_VALUE / 2;
  private int refusals;

  void confirmed(long appliedAt, long now, boolean readOnly, int mishapsNow) {
    lastPush = appliedAt;
    lastReadOnlyPush = readOnly ? appliedAt : lastReadOnlyPush;
    confirmedAt = now;
    mishaps = mishapsNow;
    refusals = 0;
  }

  /** The server has no quota for a write. */
  void refused(long now, int mishapsNow) {
    if (now - refusedAt >= COOLDOWNS[Math.min(refusals, COOLDOWNS.length - 1)]) {
      refusals++;
      refusedAt = now;
      mishaps = mishapsNow;
    }
  }

  /** The server has shown that it can do all that was asked for. */
  void recovered() {
    refusals = 0;
  }

  boolean isRecovered() {
    return refusals == 0;
  }

  /** Returns when a write may be tried again at the earliest: each refusal in a row makes the wait longer. */
  long mayWriteAt() {
    return refusedAt + COOLDOWNS[Math.min(refusals, COOLDOWNS.length - 1)];
  }
}
