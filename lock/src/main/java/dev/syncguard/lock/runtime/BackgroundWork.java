package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Background;
import java.time.Duration;

/** Hands work to a background that may be full, or closed by whoever owns it. */
public final class BackgroundWork {

  private BackgroundWork() {}

  /** Returns whether somebody else does the work; if not, the caller has to, since better late than not at all. */
  public static boolean isTaken(Background background, Runnable work) {
    try {
      background.after(Duration.ZERO, work);
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /** Lets somebody else do the work, or does it. */
  public static void begin(Background background, Runnable work) {
    if (!isTaken(background, work)) {
      work.run();
    }
  }
}
