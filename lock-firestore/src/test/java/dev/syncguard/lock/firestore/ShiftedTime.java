package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;

/** The clocks of this machine, the wall clock being wrong by a fixed amount. */
record ShiftedTime(Time base, Duration by) implements Time {

  @Override
  public Instant now() {
    return base.now().plus(by);
  }

  @Override
  public long nanos() {
    return base.nanos();
  }

  @Override
  public Signal newSignal() {
    return base.newSignal();
  }
}
