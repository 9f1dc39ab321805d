package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Adds events to a backend: {@code Telemetry.to(events::add).over(backend)}.
 *
 * <p>A backend without it computes no hashes and pays nothing. Listeners run on the thread of the operation, after it;
 * what they throw is dropped. Immutable.
 */
public final class Telemetry {

  private final Consumer<? super LockEvent> listener;
  private final Predicate<? super LockEvent> includeRaw;
  private final Time time;

  private Telemetry(
      Consumer<? super LockEvent> listener, Predicate<? super LockEvent> includeRaw, Time time) {
    this.listener = listener;
    this.includeRaw = includeRaw;
    this.time = time;
  }

  /** Returns telemetry that tells the listener, with hashes only. */
  public static Telemetry to(Consumer<? super LockEvent> listener) {
    return new Telemetry(listener, event -> false, Time.system());
  }

  /** Says whether events carry raw keys and lock ids. The default is no. */
  public Telemetry includeRaw(boolean include) {
    return includeRaw(event -> include);
  }

  /** Says which events carry raw keys and lock ids; the predicate sees the event without them. */
  public Telemetry includeRaw(Predicate<? super LockEvent> include) {
    return new Telemetry(listener, include, time);
  }

  /** Sets where durations come from. The default is the clock of this machine. */
  public Telemetry time(Time source) {
    return new Telemetry(listener, includeRaw, source);
  }

  /** Returns the backend with events for all it does, also through leases and waiting. */
  public LockBackend over(LockBackend backend) {
    return new ObservedBackend(backend, new EventSender(listener, includeRaw, time));
  }
}
