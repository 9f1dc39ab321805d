package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Cancellation;
import java.time.Duration;
import java.util.function.Function;

/** Breaks a call off whose answer does not come: a driver may wait for ever, however dead its connection is. */
public final class TimeLimit {

  private TimeLimit() {}

  /** Makes the call, and cancels it when it takes longer. If the background takes no work, the store's own timeouts have to do. */
  public static <T> T on(Function<Cancellation, T> call, Duration atMost, Background background) {
    Cancellation overdue = Cancellation.create();
    Background.Task givingUp = null;
    try {
      givingUp = background.after(atMost, overdue::cancel);
    } catch (RuntimeException | Error e) {
      // As said above.
    }
    try {
      return call.apply(overdue);
    } finally {
      if (givingUp != null) {
        givingUp.cancel();
      }
    }
  }
}
