package dev.syncguard.lock.runtime;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.function.Supplier;

/** How the library treats interrupted threads: they give up waiting, but always finish a release. */
public final class Interruption {

  private Interruption() {}

  /** Throws {@code Aborted} if the thread was interrupted, and leaves it so. */
  public static void throwIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw aborted();
    }
  }

  public static LockException aborted() {
    return new LockException(LockException.Code.ABORTED, "The waiting thread was interrupted");
  }

  /**
   * Runs work as if the thread were not interrupted, because drivers refuse to do anything once it is. What an interrupt
   * breaks off on the way is done again, so it must be something that can be repeated.
   */
  public static <T> T deferring(Supplier<T> work) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.get();
        } catch (LockException e) {
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public static void deferring(Runnable work) {
    deferring(() -> {
      work.run();
      return true;
    });
  }

  /** Waits although the thread may be interrupted meanwhile, which it then still is afterwards. */
  public static boolean awaitUninterruptibly(Time.Signal signal, Duration atMost, Time time) {
    long endNanos = time.nanos() + atMost.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return signal.await(Duration.ofNanos(Math.max(endNanos - time.nanos(), 0)));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
