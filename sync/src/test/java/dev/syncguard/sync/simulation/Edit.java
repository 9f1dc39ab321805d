package dev.syncguard.sync.simulation;

import dev.syncguard.sync.ReaderState;
import org.jspecify.annotations.Nullable;

/** Something that a reader said on one device, and what became of it. */
final class Edit {

  final Kind kind;
  final String key;
  final String value;
  final Ledger.Place place;

  /** Whose state the device held at that time, or null if nobody had logged in yet. */
  final @Nullable String owner;

  /** How many clearings it was said after, as far as the device knows. */
  int epoch;

  /** Whether the call returned before the tab died. */
  final boolean promised;

  /** The tab in which it was said, or null if nobody sits before it. */
  @Nullable
  Tab tab;

  /** When it was said. */
  long saidAt;

  /** Whether it may get lost: its own reader took it back, or left the account before it was pushed. */
  boolean waived;

  /** Whether a reset has removed it from its device, so that no later epoch is its own. */
  boolean removed;

  /** Whether its device has forgotten how many clearings it was said after, so that it may count as said after fewer. */
  boolean forgotten;

  /** When the device stopped to call it unpushed, in steps of the world. */
  long settledAt = Long.MAX_VALUE;

  Edit(
      Kind kind,
      String key,
      String value,
      Ledger.Place place,
      @Nullable String owner,
      int epoch,
      boolean promised) {
    this.kind = kind;
    this.key = key;
    this.value = value;
    this.place = place;
    this.owner = owner;
    this.epoch = epoch;
    this.promised = promised;
  }

  void saidIn(Tab where, long when) {
    tab = where;
    saidAt = when;
  }

  boolean isSettled() {
    return settledAt < Long.MAX_VALUE;
  }

  /** Returns where a date to load from stands among others: the greater one stays in a merge. */
  static long rank(String loadFrom) {
    if (loadFrom.isEmpty()) {
      return Long.MIN_VALUE;
    }
    return loadFrom.equals(ReaderState.LOAD_RECENT) ? Long.MAX_VALUE : Moments.millis(loadFrom);
  }

  @Override
  public String toString() {
    return kind + " " + key + "=" + value + " on " + place.device() + " at epoch " + epoch;
  }
}
