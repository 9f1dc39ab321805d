package dev.syncguard.lock.lease;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LeaseListener.Renewal;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells listeners about one request and its lease: when what happened, and nothing twice. What they throw is dropped, since
 * it must not cost anybody a lock. Thread-safe.
 */
public final class LeaseWatch {

  /** Tells nobody. */
  public static final LeaseWatch NONE = new LeaseWatch(List.of(), Time.system());

  private final List<LeaseListener> listeners;
  private final Time time;
  private final long requestedNanos;
  private volatile long grantedNanos;

  public LeaseWatch(List<LeaseListener> listeners, Time time) {
    this.listeners = listeners;
    this.time = time;
    this.requestedNanos = listeners.isEmpty() ? 0 : time.nanos();
  }

  /** Returns whether anybody wants to know. */
  public boolean isWanted() {
    return !listeners.isEmpty();
  }

  public void granted(Fence fence, boolean handedOff) {
    if (isWanted()) {
      grantedNanos = time.nanos();
      Duration waited = Duration.ofNanos(grantedNanos - requestedNanos);
      tell(listener -> listener.granted(fence, waited, handedOff));
    }
  }

  public void busy() {
    tell(listener -> listener.busy(since(requestedNanos)));
  }

  /** Tells how a request ended that was not granted. */
  public void notGranted(Throwable error) {
    LockException.Code code =
        error instanceof LockException known ? known.code() : LockException.Code.INTERNAL;
    if (code == LockException.Code.ACQUISITION_TIMEOUT) {
      busy();
    } else {
      tell(listener -> listener.failed(code, since(requestedNanos)));
    }
  }

  public void renewed(Renewal renewal) {
    tell(listener -> listener.renewed(renewal));
  }

  public void released() {
    tell(listener -> listener.released(since(grantedNanos)));
  }

  public void lost(Loss reason) {
    tell(listener -> listener.lost(reason, since(grantedNanos)));
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(time.nanos() - nanos);
  }

  private void tell(Consumer<LeaseListener> news) {
    for (LeaseListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException | Error e) {
        // It has its own ways to report itself.
      }
    }
  }
}
