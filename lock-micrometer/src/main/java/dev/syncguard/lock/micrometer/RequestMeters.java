package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Loss;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of requests and leases with the same tags.
 *
 * <p>All but the errors exist from the first request on, because Prometheus does not see an increase from nothing to one.
 */
final class RequestMeters {

  private static final String NO_ERROR = "none";

  private final MeterRegistry registry;
  private final Tags tags;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private final Counter handOffs;

  RequestMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    Gauge.builder("syncguard.lock.waiting", waiting, AtomicInteger::get)
        .description("Requests that wait for their key")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    Gauge.builder("syncguard.lock.held", held, AtomicInteger::get)
        .description("Leases that are held")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    handOffs = Counter.builder("syncguard.lock.handoffs")
        .description("Keys that went from holder to holder inside the process")
        .tags(tags)
        .register(registry);
    for (String outcome : new String[] {"granted", "busy"}) {
      requests(outcome, NO_ERROR);
      waits(outcome);
    }
    requests("failed", word(LockException.Code.SERVICE_UNAVAILABLE));
    waits("failed");
    for (String end : new String[] {"released", "lost"}) {
      holds(end);
    }
    for (Loss reason : Loss.values()) {
      losses(reason);
    }
    for (LeaseListener.Renewal renewal : LeaseListener.Renewal.values()) {
      renewals(renewal);
    }
  }

  private Counter requests(String outcome, String error) {
    return Counter.builder("syncguard.lock.requests")
        .description("Requests for keys, by how they ended")
        .tags(tags.and("outcome", outcome, "error", error))
        .register(registry);
  }

  private Timer waits(String outcome) {
    return Timer.builder("syncguard.lock.wait")
        .description("How long requests took")
        .tags(tags.and("outcome", outcome))
        .serviceLevelObjectives(Buckets.WAIT)
        .register(registry);
  }

  private Timer holds(String end) {
    return Timer.builder("syncguard.lock.hold")
        .description("How long leases were held")
        .tags(tags.and("end", end))
        .serviceLevelObjectives(Buckets.HOLD)
        .register(registry);
  }

  private Counter losses(Loss reason) {
    return Counter.builder("syncguard.lock.losses")
        .description("Leases that ended before their holder released them")
        .tags(tags.and("reason", word(reason)))
        .register(registry);
  }

  private Counter renewals(LeaseListener.Renewal renewal) {
    return Counter.builder("syncguard.lock.renewals")
        .description("Renewals, by whether a third of the ttl was left when they were confirmed")
        .tags(tags.and("result", word(renewal)))
        .register(registry);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Counts a request that begins, and returns who counts the rest of it. */
  LeaseListener begin() {
    waiting.incrementAndGet();
    return new LeaseListener() {
      @Override
      public void granted(Fence fence, Duration waited, boolean handedOff) {
        held.incrementAndGet();
        ended("granted", NO_ERROR, waited);
        if (handedOff) {
          handOffs.increment();
        }
      }

      @Override
      public void busy(Duration waited) {
        ended("busy", NO_ERROR, waited);
      }

      @Override
      public void failed(LockException.Code code, Duration waited) {
        ended("failed", word(code), waited);
      }

      private void ended(String outcome, String error, Duration waited) {
        waiting.decrementAndGet();
        requests(outcome, error).increment();
        waits(outcome).record(waited);
      }

      @Override
      public void renewed(Renewal renewal) {
        renewals(renewal).increment();
      }

      @Override
      public void released(Duration time) {
        held.decrementAndGet();
        holds("released").record(time);
      }

      @Override
      public void lost(Loss reason, Duration time) {
        held.decrementAndGet();
        losses(reason).increment();
        holds("lost").record(time);
      }
    };
  }
}
