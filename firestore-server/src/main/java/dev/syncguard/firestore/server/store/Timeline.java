package dev.syncguard.firestore.server.store;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.Times;
import java.time.InstantSource;

/**
 * What readers see, and the times of commits and reads in microseconds. Every commit comes after all earlier commits and
 * after all reads that have been given a time; a read sees all commits up to its time. Thread-safe.
 *
 * <p>A commit has a time before it can be seen. A read of the present that comes meanwhile is given a time before that,
 * so that it need not wait.
 */
final class Timeline {
  private static final long NONE = Long.MIN_VALUE;

  /** What is seen, held for the reader, and the time that goes with it. */
  record Moment(Published published, long micros) {}

  private final InstantSource source;
  private Published published;
  private long last;
  private long inFlight = NONE;

  Timeline(InstantSource source, Published published) {
    this.source = source;
    this.published = published;
  }

  long now() {
    return Times.micros(source.instant());
  }

  synchronized Moment present() {
    long micros = inFlight - 1;
    if (inFlight == NONE) {
      last = Math.max(now(), last);
      micros = last;
    }
    return hold(micros);
  }

  /** Returns what was there at the time; only if a commit of before that time is under way this waits for it. */
  synchronized Moment past(long micros, long retentionMicros) {
    if (micros > now() && micros > published.lastCommit()) {
      throw FirestoreServerException.invalid("The requested 'read_time' cannot be in the future.");
    }
    boolean interrupted = false;
    while (inFlight != NONE && inFlight <= micros) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // a commit takes no longer than its maps do
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (micros < published.horizon() || micros < now() - retentionMicros) {
      throw FirestoreServerException.failedPrecondition("The requested 'read_time' is too old.");
    }
    last = Math.max(last, micros);
    return hold(micros);
  }

  private Moment hold(long micros) {
    published.root().acquire();
    return new Moment(published, micros);
  }

  /** Starts a commit and returns its time. */
  synchronized long begin() {
    last = Math.max(now(), last + 1);
    inFlight = last;
    return last;
  }

  /** Ends the commit without a trace, if it has not been published. */
  synchronized void end() {
    inFlight = NONE;
    notifyAll();
  }

  /** Shows what a commit has made. */
  synchronized void publish(Published next) {
    published.root().release();
    published = next;
    end();
  }

  /** Lets go of what was shown, which nobody may ask for any more, and returns the latest time that was given out. */
  synchronized long close() {
    published.root().release();
    return last;
  }

  /** Makes every later time come after this one. */
  synchronized void advanceTo(long micros) {
    last = Math.max(last, micros);
  }
}
