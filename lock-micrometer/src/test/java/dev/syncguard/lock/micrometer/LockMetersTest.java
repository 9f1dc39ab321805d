package dev.syncguard.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each meter counts. */
@Timeout(60)
class LockMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LockMeters meters = LockMeters.to(registry);
  private final BusyDay day = new BusyDay(meters::over, meters);

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private long requests(String outcome) {
    return (long)
        registry.get("syncguard.lock.requests").tags("outcome", outcome).counters().stream()
            .mapToDouble(counter -> counter.count())
            .sum();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void requestsAreCountedByHowTheyEnd() {
    day.requests();
    assertThat(requests("granted")).isEqualTo(2);
    assertThat(requests("busy")).isEqualTo(1);
    assertThat(requests("failed")).isEqualTo(1);
    assertThat(count(
            "syncguard.lock.requests",
            "backend",
            "memory",
            "outcome",
            "failed",
            "error",
            "service-unavailable"))
        .isEqualTo(1);
    assertThat(registry
            .get("syncguard.lock.wait")
            .tags("outcome", "granted")
            .timer()
            .count())
        .isEqualTo(2);
  }

  @Test
  void holdsAreTimedAndLossesCountedByTheirReason() {
    day.requests();
    assertThat(registry
            .get("syncguard.lock.hold")
            .tags("end", "released")
            .timer()
            .totalTime(TimeUnit.SECONDS))
        .isEqualTo(2);
    assertThat(registry
            .get("syncguard.lock.hold")
            .tags("end", "lost")
            .timer()
            .totalTime(TimeUnit.SECONDS))
        .isEqualTo(9);
    assertThat(count("syncguard.lock.losses", "reason", "ran-out")).isEqualTo(1);
    assertThat(count("syncguard.lock.losses", "reason", "gone")).isZero();
    assertThat(gauge("syncguard.lock.held")).isZero();
    assertThat(gauge("syncguard.lock.waiting")).isZero();
  }

  @Test
  void leasesAreHeldUntilTheyEnd() {
    Locks locks = Locks.builder(new MemoryLockBackend()).listener(meters).build();
    Lease one = locks.lock("one").acquire();
    Lease two = locks.lock("two").acquire();
    assertThat(gauge("syncguard.lock.held")).isEqualTo(2);
    one.close();
    one.close();
    assertThat(gauge("syncguard.lock.held")).isEqualTo(1);
    locks.forceRelease("two");
    two.close();
    assertThat(gauge("syncguard.lock.held")).isZero();
  }

  @Test
  void renewalsAreCountedByWhetherTheyWereInTime() {
    day.renewals();
    assertThat(count("syncguard.lock.renewals", "result", "in-time")).isPositive();
    // One was broken off, because the store was silent for too long, and the store failed the next.
    assertThat(count("syncguard.lock.renewals", "result", "failed")).isEqualTo(2);
    // What has to be tried again is late.
    assertThat(count("syncguard.lock.renewals", "result", "late")).isEqualTo(1);
    assertThat(count("syncguard.lock.losses", "reason", "gone")).isEqualTo(1);
  }

  @Test
  void handOffsAreCounted() {
    day.handOff();
    assertThat(count("syncguard.lock.handoffs")).isPositive();
    assertThat(count("syncguard.lock.losses", "reason", "closed")).isEqualTo(1);
  }

  @Test
  void operationsAtTheStoreAreTimed() {
    day.requests();
    assertThat(registry
            .get("syncguard.lock.operations")
            .tags("operation", "acquire", "outcome", "yes", "error", "none")
            .timer()
            .count())
        .isEqualTo(2);
    assertThat(registry
            .get("syncguard.lock.operations")
            .tags("operation", "acquire", "outcome", "no")
            .timer()
            .count())
        .isEqualTo(1);
    assertThat(registry
            .get("syncguard.lock.operations")
            .tags("outcome", "error", "error", "service-unavailable")
            .timer()
            .count())
        .isEqualTo(1);
  }

  @Test
  void theClockIsReadWheneverTheMetersAre() {
    AtomicReference<Duration> offset = new AtomicReference<>(Duration.ofMillis(-250));
    meters.clockOffset("firestore", offset::get);
    assertThat(registry.get("syncguard.lock.clock.offset").timeGauge().value(TimeUnit.SECONDS))
        .isEqualTo(-0.25);
    offset.set(Duration.ofMillis(30));
    assertThat(registry.get("syncguard.lock.clock.offset").timeGauge().value(TimeUnit.SECONDS))
        .isEqualTo(0.03);
  }

  @Test
  void manyKeysCostNoMoreThanOne() {
    Locks locks =
        Locks.builder(meters.over(new MemoryLockBackend())).listener(meters).build();
    locks.lock("key").run(lease -> {});
    int before = registry.getMeters().size();
    for (int i = 0; i < 200; i++) {
      locks.lock("customer-" + i).run(lease -> {});
    }
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(registry.getMeters())
        .noneMatch(meter -> meter.getId().toString().contains("customer"));
  }

  @Test
  void keysAreTaggedWithTheNamesThatTheyAreGivenAndNoMoreThanAHundred() {
    LockMeters named = LockMeters.to(registry).nameKeys(key -> key.value().replaceFirst(":.*", ""));
    Locks locks = Locks.builder(new MemoryLockBackend()).listener(named).build();
    locks.lock("invoice:1").run(lease -> {});
    locks.lock("invoice:2").run(lease -> {});
    assertThat(count("syncguard.lock.requests", "key", "invoice", "outcome", "granted"))
        .isEqualTo(2);
    for (int i = 0; i < 120; i++) {
      locks.lock("kind-" + i + ":1").run(lease -> {});
    }
    assertThat(registry.getMeters().stream()
            .map(Meter::getId)
            .filter(id -> id.getName().equals("syncguard.lock.held"))
            .flatMap(id -> id.getTags().stream())
            .filter(tag -> tag.getKey().equals("key"))
            .map(Tag::getValue))
        .hasSize(101)
        .contains("other");
    assertThat(count("syncguard.lock.requests", "key", "other", "outcome", "granted"))
        .isEqualTo(21);
  }
}
