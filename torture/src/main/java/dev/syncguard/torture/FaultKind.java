package dev.syncguard.torture;

import java.util.Locale;

/** What can be done to a worker, or by the user to the store. */
public enum FaultKind {
  /** The worker dies without a word, and another one takes its place. */
  KILL("a worker was killed"),
  /** The worker stops for longer than its leases last, and goes on as if nothing had happened. */
  PAUSE("a worker was stopped beyond its ttl"),
  /** The worker ends in peace, and another one takes its place. */
  RESTART("a worker was restarted"),
  /** Requests arrive at the store, but their replies are lost. */
  LOST_REPLIES("replies were lost"),
  /** Requests do not arrive. */
  LOST_REQUESTS("requests were lost"),
  /** A request arrives long after its sender has given it up. */
  LATE_REQUESTS("requests arrived late"),
  /** All replies take their time. */
  SLOW_REPLIES("replies were slow"),
  /** The store is silent. */
  SILENCE("the store could not be heard"),
  /** All connections of a worker are cut, and it can make new ones. */
  CUT("connections were cut"),
  /** The worker is restarted with a clock that is off. */
  CLOCK("a worker's clock was set off"),
  /** The command of the user restarts the store, or fails it over. */
  STORE_RESTART("the store was restarted");

  private final String title;

  FaultKind(String title) {
    this.title = title;
  }

  /** Returns what happened, for people. */
  public String title() {
    return title;
  }

  /** Returns its name in a history. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
