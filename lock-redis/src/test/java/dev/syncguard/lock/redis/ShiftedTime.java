package dev.syncguard.lock.redis;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;

/** The time of this machine, as it will be. Only clocks are ahead; whoever waits does so for as long as always. */
final class ShiftedTime implements Time {

  private volatile Duration ahead = Duration.ZERO;

  void pass(Duration time) {
    ahead = ahead.plus(time);
  }

  @Override
  public Instant now() {
    return Time.system().now().plus(ahead);
  }

  @Override
  public long nanos() {
    return Time.system().nanos() + ahead.toNanos();
  }

  @Override
  public Signal newSignal() {
    return Time.system().newSignal();
  }
}
