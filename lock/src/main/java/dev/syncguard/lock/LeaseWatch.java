package dev.syncguard.lock;

import dev.syncguard.lock.LeaseListener.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells listeners about one request and its lease: when what happened, and nothing twice. What they throw is dropped, since
 * it must not cost anybody a lock. Thread-safe.
 */
final class LeaseWatch {

  /** Tells nobody. */
  static final LeaseWatch NONE = new LeaseWatch(List.of(), Time.system());

  private final List<LeaseListener> listeners;
  private final Time time;
  private final long requestedNanos;
  private volatile long grantedNanos;

  LeaseWatch(List<LeaseListener> listeners, Time time) {
    this.listeners = listeners;
    this.time = time;
    this.requestedNanos = listeners.isEmpty() ? 0 : time.nanos();
  }

  /** Returns whether anybody wants to know. */
  boolean isWanted() {
    return !listeners.isEmpty();
  }

  void granted(Fence fence, boolean handedOff) {
    if (isWanted()) {
      grantedNanos = time.nanos();
      Duration waited = Duration.ofNanos(grantedNanos - requestedNanos);
      tell(listener -> listener.granted(fence, waited, handedOff));
    }
  }

  void busy() {
    tell(listener -> listener.busy(since(requestedNanos)));
  }

  /** Tells how a request ended that was not granted. */
  void notGranted(Throwable error) {
    LockException.Code code =
        error instanceof LockException known ? known.code() : LockException.Code.INTERNAL;
    if (code == LockException.Code.ACQUISITION_TIMEOUT) {
      busy();
    } else {
      tell(listener -> listener.failed(code, since(requestedNanos)));
    }
  }

  void renewed(Renewal renewal) {
    tell(listener -> listener.renewed(renewal));
  }

  void released() {
    tell(listener -> listener.released(since(grantedNanos)));
  }

  void lost(Loss reason) {
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
