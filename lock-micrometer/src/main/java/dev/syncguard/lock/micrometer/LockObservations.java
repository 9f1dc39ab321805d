package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockListener;
import dev.syncguard.lock.Loss;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Observations of locks: {@code Locks.builder(backend).listener(LockObservations.to(registry)).build()}.
 *
 * <p>With Micrometer Tracing they become the spans {@code lock wait} and {@code lock hold}, both children of what the
 * caller did when it asked for the key. A lease belongs to no thread, so {@code lock hold} is never the current span. The
 * fence is an attribute, the key only if it was given a name. For meters take {@link LockMeters}, which know more.
 * Thread-safe.
 */
public final class LockObservations implements LockListener {

  private final ObservationRegistry registry;
  private final @Nullable Function<? super LockKey, String> names;

  private LockObservations(
      ObservationRegistry registry, @Nullable Function<? super LockKey, String> names) {
    this.registry = registry;
    this.names = names;
  }

  /** Returns observations in the registry, without the keys. */
  public static LockObservations to(ObservationRegistry registry) {
    return new LockObservations(registry, null);
  }

  /**
   * Returns observations with the name that the function gives to each key, as a value of high cardinality. It leaves the
   * process, so it must not be a secret.
   */
  public LockObservations nameKeys(Function<? super LockKey, String> names) {
    return new LockObservations(registry, names);
  }

  @Override
  public LeaseListener requested(LockKey key, String backend) {
    Observation parent = registry.getCurrentObservation();
    String name = names == null ? null : names.apply(key);
    return new ObservedLease((observation, what) -> {
      Observation begun = Observation.createNotStarted(observation, registry)
          .contextualName(what)
          .lowCardinalityKeyValue("syncguard.backend", backend);
      if (name != null) {
        begun.highCardinalityKeyValue("syncguard.key", name);
      }
      return (parent == null ? begun : begun.parentObservation(parent)).start();
    });
  }

  @Override
  public Runnable carry(Runnable work) {
    Observation current = registry.getCurrentObservation();
    return current == null ? work : () -> current.scoped(work);
  }

  /** Begins an observation with this name that people see as that. */
  private interface Begin {
    Observation begin(String observation, String what);
  }

  private static final class ObservedLease implements LeaseListener {
    private final Begin begin;
    private final Observation wait;
    private volatile Observation hold = Observation.NOOP;

    ObservedLease(Begin begin) {
      this.begin = begin;
      this.wait = begin.begin("syncguard.wait", "lock wait");
    }

    @Override
    public void granted(Fence fence, Duration waited, boolean handedOff) {
      String number = Long.toString(fence.value());
      hold = begin
          .begin("syncguard.hold", "lock hold")
          .highCardinalityKeyValue("syncguard.fence", number);
      wait.highCardinalityKeyValue("syncguard.fence", number);
      stopWait("granted");
    }

    @Override
    public void busy(Duration waited) {
      stopWait("busy");
    }

    @Override
    public void failed(LockException.Code code, Duration waited) {
      wait.error(new LockException(code, "No key was granted: " + RequestMeters.word(code)));
      stopWait("failed");
    }

    private void stopWait(String outcome) {
      wait.lowCardinalityKeyValue("syncguard.outcome", outcome).stop();
    }

    @Override
    public void renewed(Renewal renewal) {
      if (renewal != Renewal.IN_TIME) {
        hold.event(Observation.Event.of("renewal." + RequestMeters.word(renewal)));
      }
    }

    @Override
    public void released(Duration held) {
      hold.lowCardinalityKeyValue("syncguard.end", "released").stop();
    }

    @Override
    public void lost(Loss reason, Duration held) {
      hold.lowCardinalityKeyValue("syncguard.end", RequestMeters.word(reason)).stop();
    }
  }
}
