package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The clocks of this machine, except that a test may let time pass faster. */
final class RunningTime implements Time {

  private final AtomicLong ahead = new AtomicLong();

  void advance(Duration duration) {
    ahead.addAndGet(duration.toNanos());
  }

  @Override
  public Instant now() {
    return Time.system().now().plusNanos(ahead.get());
  }

  @Override
  public long nanos() {
    return Time.system().nanos() + ahead.get();
  }

  @Override
  public Signal newSignal() {
    return Time.system().newSignal();
  }
}
