package dev.syncguard.lock.firestore;

import java.time.Duration;

/**
 * Notices that the connection to Firestore died without a word, as when a firewall forgot it, and has it replaced.
 *
 * <p>That no answer has come for a while is all there is to see. It may also mean that the store is slow, so requests under way
 * may still be answered on the old connection, and a new one gets twice the time of the one before. Thread-safe.
 */
final class Connection {

  private static final Duration FIRST_PATIENCE = Duration.ofSeconds(2);
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(8);

  private final Channels channels;
  private final Runnable onReplaced;
  private Duration patience = FIRST_PATIENCE;
  private boolean awaitsAnswer;
  private long silentSince;
  private int replacements;

  Connection(Channels channels, Runnable onReplaced) {
    this.channels = channels;
    this.onReplaced = onReplaced;
  }

  /** Notes that a request is sent. */
  synchronized void sending(long nowNanos) {
    if (!awaitsAnswer) {
      awaitsAnswer = true;
      silentSince = nowNanos;
    }
  }

  /** Notes that a request was answered, whichever. */
  synchronized void answered() {
    awaitsAnswer = false;
    patience = FIRST_PATIENCE;
  }

  /** Returns how many connections there were before this one, and replaces it first if it has been silent for too long. */
  int replaceIfSilent(long nowNanos) {
    int count;
    synchronized (this) {
      if (!channels.areKnown() || !awaitsAnswer || nowNanos - silentSince < patience.toNanos()) {
        return replacements;
      }
      silentSince = nowNanos;
      Duration twice = patience.multipliedBy(2);
      patience = twice.compareTo(LONGEST_PATIENCE) < 0 ? twice : LONGEST_PATIENCE;
      count = ++replacements;
    }
    channels.replaceConnections();
    onReplaced.run();
    return count;
  }

  /** Lets a connection that was refused be tried again at once. */
  void retryNow() {
    channels.reconnect();
  }
}
