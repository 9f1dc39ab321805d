package dev.syncguard.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * Lets one thread tell others to give up. Once cancelled it stays so.
 *
 * <p>Threads may share it, and one may serve many calls. Work that is given up ends in {@link LockException} with
 * {@link LockException.Code#ABORTED}.
 */
public final class Cancellation {

  private static final Cancellation NONE = new Cancellation(false);

  private final boolean possible;
  private final List<Runnable> listeners = new ArrayList<>(1);
  private volatile boolean cancelled;

  private Cancellation(boolean possible) {
    this.possible = possible;
  }

  /** Returns one that can be cancelled. */
  public static Cancellation create() {
    return new Cancellation(true);
  }

  /** Returns the one that nobody ever cancels. */
  public static Cancellation none() {
    return NONE;
  }

  /** Tells everybody to give up. Returns without waiting for them to do so. */
  public void cancel() {
    if (!possible) {
      throw new IllegalStateException(
          "Cancellation.none() cannot be cancelled; use Cancellation.create()");
    }
    List<Runnable> told;
    synchronized (listeners) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      told = List.copyOf(listeners);
      listeners.clear();
    }
    tell(told);
  }

  /** Tells all of them, also those after one that throws. */
  private static void tell(List<Runnable> told) {
    RuntimeException failure = null;
    for (Runnable listener : told) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns whether somebody has cancelled; once true, it stays so. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Throws {@code Aborted} if this was cancelled. */
  public void throwIfCancelled() {
    if (cancelled) {
      throw new LockException(LockException.Code.ABORTED, "The caller cancelled the operation");
    }
  }

  /** Runs the listener on cancellation, at once if that has already happened. Close the result to stop listening. */
  public Registration onCancel(Runnable listener) {
    if (!possible) {
      return Registration.NOTHING;
    }
    synchronized (listeners) {
      if (!cancelled) {
        listeners.add(listener);
        return () -> {
          synchronized (listeners) {
            listeners.remove(listener);
          }
        };
      }
    }
    listener.run();
    return Registration.NOTHING;
  }

  /** Something that listens until it is closed. */
  public interface Registration extends AutoCloseable {
    /** The registration that has nothing to undo. */
    Registration NOTHING = () -> {};

    @Override
    void close();
  }
}
