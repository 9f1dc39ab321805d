package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockListener;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters of locks: {@code Locks.builder(meters.over(backend)).listener(meters).build()}.
 *
 * <p>Their only tags are the backend and how things went, so that a million keys cost no more than one. Make one for each
 * registry and share it between all {@link dev.syncguard.lock.Locks}, whose numbers then add up. Thread-safe.
 */
public final class LockMeters implements LockListener {

  private final MeterRegistry registry;
  private final @Nullable KeyNames names;
  private final Map<Tags, RequestMeters> meters = new ConcurrentHashMap<>();

  private LockMeters(MeterRegistry registry, @Nullable KeyNames names) {
    this.registry = registry;
    this.names = names;
  }

  /** Returns meters in the registry, without the keys. */
  public static LockMeters to(MeterRegistry registry) {
    return new LockMeters(registry, null);
  }

  /**
   * Returns meters that have a tag {@code key} as well, with the name that the function gives to each key.
   *
   * <p>Every name makes some sixty time series, so the function maps keys to the few things that they stand for: {@code
   * invoice:4711} to {@code invoice}. All names beyond the first hundred become {@code other}. What the function returns
   * leaves the process, so it must not be a secret. The operations at the store stay without it.
   */
  public LockMeters nameKeys(Function<? super LockKey, String> names) {
    return new LockMeters(registry, new KeyNames(names));
  }

  /** Returns the backend with a timer for each kind of operation at the store. */
  public LockBackend over(LockBackend backend) {
    OperationTimers timers =
        new OperationTimers(registry, backend.capabilities().backend());
    return Telemetry.to(timers::record).deliverOn(Runnable::run).over(backend);
  }

  /**
   * Shows how far the clock of this machine is from the store's, where a backend knows: {@code meters.clockOffset("firestore",
   * () -> backend.clockHealth().offset())}. Read whenever the meters are.
   */
  public LockMeters clockOffset(String backend, Supplier<Duration> offset) {
    TimeGauge.builder(
            "syncguard.lock.clock.offset", () -> offset.get().toNanos(), TimeUnit.NANOSECONDS)
        .description("The clock of this machine minus the store's")
        .tag("backend", backend)
        .register(registry);
    return this;
  }

  @Override
  public LeaseListener requested(LockKey key, String backend) {
    Tags tags = Tags.of("backend", backend);
    return meters
        .computeIfAbsent(
            names == null ? tags : tags.and("key", names.of(key)),
            wanted -> new RequestMeters(registry, wanted))
        .begin();
  }
}
