package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Adds events to a backend: {@code Telemetry.to(events::add).over(backend)}.
 *
 * <p>A backend without it computes no hashes and pays nothing. No operation waits for a listener: events are delivered
 * one at a time and in order on a thread of their own. A listener that cannot keep up loses events, which is logged once;
 * what it throws is dropped. Immutable.
 */
public final class Telemetry {

  private final Consumer<? super LockEvent> listener;
  private final Predicate<? super LockEvent> includeRaw;
  private final Supplier<? extends Executor> delivery;
  private final Time time;

  private Telemetry(
      Consumer<? super LockEvent> listener,
      Predicate<? super LockEvent> includeRaw,
      Supplier<? extends Executor> delivery,
      Time time) {
    this.listener = listener;
    this.includeRaw = includeRaw;
    this.delivery = delivery;
    this.time = time;
  }

  /** Returns telemetry that tells the listener, with hashes only. */
  public static Telemetry to(Consumer<? super LockEvent> listener) {
    return new Telemetry(listener, event -> false, EventQueue::new, Time.system());
  }

  /** Says whether events carry raw keys and lock ids. The default is no. */
  public Telemetry includeRaw(boolean include) {
    return includeRaw(event -> include);
  }

  /** Says which events carry raw keys and lock ids; the predicate sees the event without them. */
  public Telemetry includeRaw(Predicate<? super LockEvent> include) {
    return new Telemetry(listener, include, delivery, time);
  }

  /**
   * Says who calls the listener. With {@code Runnable::run} it is the thread of the operation, right after it: for tests,
   * and for listeners that only count.
   */
  public Telemetry deliverOn(Executor executor) {
    return new Telemetry(listener, includeRaw, () -> executor, time);
  }

  /** Sets where durations come from. The default is the clock of this machine. */
  public Telemetry time(Time source) {
    return new Telemetry(listener, includeRaw, delivery, source);
  }

  /** Returns the backend with events for all it does, also through leases and waiting. */
  public LockBackend over(LockBackend backend) {
    return new ObservedBackend(
        backend, new EventSender(listener, includeRaw, delivery.get(), time));
  }
}
