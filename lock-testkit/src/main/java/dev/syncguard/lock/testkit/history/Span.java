package dev.syncguard.lock.testkit.history;

import java.util.function.Supplier;

/**
 * When a call was under way, on the monotonic clock of this process. The store acted somewhere in between.
 *
 * @param sentNanos a reading from before the call
 * @param answeredNanos a reading from after it
 */
public record Span(long sentNanos, long answeredNanos) {

  /** Returns whether this call was answered before the other was sent. */
  public boolean isBefore(Span other) {
    return answeredNanos < other.sentNanos;
  }

  /** What a call returned, and when it was under way. */
  public record Timed<T>(T answer, Span span) {}

  /** Makes a call and notes its time. */
  public static <T> Timed<T> around(Supplier<T> call) {
    long sent = System.nanoTime();
    T answer = call.get();
    return new Timed<>(answer, new Span(sent, System.nanoTime()));
  }
}
