package dev.syncguard.torture.proxy;

import java.time.Duration;

/** The way from a backend to its store, which a test can disturb. Thread-safe. */
public interface Network {

  /** Cuts all connections that there are; new ones are let through. */
  void cutAll();

  /** Cuts all connections and, until {@link #heal()}, each new one. */
  void breakDown();

  /**
   * Lets no answer come any more, until {@link #heal()}: connections stay and new ones are accepted, but the store cannot be
   * heard. Requests still reach it.
   */
  void fallSilent();

  /** Lets connections through again; those that fell silent are cut. */
  void heal();

  /** Loses the next request: the store does not see it, and the client sees a cut connection. */
  void loseNextRequest();

  /** Loses the next reply: the store does what it was asked for, and the client sees a cut connection. */
  void loseNextReply();

  /** Cuts the connection of the next request, and delivers it to the store all the same, so much later. */
  void delayNextRequest(Duration delay);

  /** Returns whether the request that was to go wrong has come. */
  boolean hasFailed();
}
