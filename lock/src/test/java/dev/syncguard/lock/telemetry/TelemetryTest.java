package dev.syncguard.lock.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Internals;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class TelemetryTest {

  private static final LockKey KEY = LockKey.of("secret-key");
  private static final LockId ID = LockId.random(new Random(1));
  private static final LockId OTHER = LockId.random(new Random(2));
  private static final Ttl TTL = Ttl.ofMillis(10_000);
  private static final Cancellation NEVER = Cancellation.none();

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final List<LockEvent> events = Collections.synchronizedList(new ArrayList<>());
  private final LockBackend backend =
      Telemetry.to(events::add).deliverOn(Runnable::run).time(time).over(store);

  private Telemetry onThisThread() {
    return Telemetry.to(events::add).deliverOn(Runnable::run);
  }

  private List<String> told() {
    return events.stream()
        .map(event -> event.type() + " " + event.outcome()
            + event.reason().map(reason -> " " + reason).orElse("")
            + event.error().map(error -> " " + error).orElse(""))
        .toList();
  }

  @Test
  void everyOperationIsToldWithItsOutcomeAndReason() {
    backend.acquire(KEY, ID, TTL, NEVER);
    backend.acquire(KEY, OTHER, TTL, NEVER);
    backend.isLocked(KEY, NEVER);
    backend.lookup(new LockQuery.ByKey(KEY), NEVER);
    backend.lookupRaw(new LockQuery.ById(OTHER), NEVER);
    backend.extend(ID, TTL, NEVER);
    backend.extend(OTHER, TTL, NEVER);
    backend.release(ID, NEVER);
    backend.release(ID, NEVER);
    backend.isLocked(KEY, NEVER);
    assertThat(told())
        .containsExactly(
            "ACQUIRE OK",
            "ACQUIRE FAIL LOCKED",
            "IS_LOCKED OK",
            "LOOKUP OK",
            "LOOKUP FAIL",
            "EXTEND OK",
            "EXTEND FAIL NOT_FOUND",
            "RELEASE OK",
            "RELEASE FAIL NOT_FOUND",
            "IS_LOCKED FAIL");
  }

  @Test
  void aLockThatEndedByItselfIsToldFromOneThatNeverWas() {
    backend.acquire(KEY, ID, TTL, NEVER);
    time.advance(Duration.ofSeconds(11));
    backend.extend(ID, TTL, NEVER);
    backend.release(ID, NEVER);
    assertThat(told()).containsExactly("ACQUIRE OK", "EXTEND FAIL EXPIRED", "RELEASE FAIL EXPIRED");
  }

  @Test
  void operationsThatThrowAreToldWithTheirCode() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    assertThatThrownBy(() -> backend.acquire(KEY, ID, TTL, cancelled))
        .isInstanceOf(LockException.class);
    assertThat(told()).containsExactly("ACQUIRE FAIL ABORTED");
  }

  @Test
  void whatNoBackendMayThrowIsToldAsInternal() {
    LockBackend broken = (LockBackend) Proxy.newProxyInstance(
        LockBackend.class.getClassLoader(),
        new Class<?>[] {LockBackend.class},
        (self, call, with) -> {
          throw new IllegalStateException("a bug");
        });
    assertThatThrownBy(() -> onThisThread().over(broken).isLocked(KEY, NEVER))
        .isInstanceOf(IllegalStateException.class);
    assertThat(told()).containsExactly("IS_LOCKED FAIL INTERNAL");
  }

  @Test
  void aDurationIsThatOfTheOperationWhateverTheClockSays() {
    time.advance(Duration.ofHours(1));
    backend.isLocked(KEY, NEVER);
    assertThat(events.get(0).duration()).isZero();
  }

  @Test
  void eventsCarryHashesAndDurationsButNeitherKeyNorLockId() {
    backend.acquire(KEY, ID, TTL, NEVER);
    LockEvent event = events.get(0);
    assertThat(event.keyHash()).contains(KEY.hash());
    assertThat(event.lockIdHash()).contains(ID.hash());
    assertThat(event.key()).isEmpty();
    assertThat(event.lockId()).isEmpty();
    assertThat(event.duration()).isZero();
    assertThat(event.toString()).doesNotContain("secret-key").doesNotContain(ID.value());
  }

  @Test
  void rawValuesComeOnlyWhereTheyWereAskedFor() {
    LockBackend raw = onThisThread()
        .includeRaw(event -> event.type() == LockEvent.Type.RELEASE)
        .over(store);
    raw.acquire(KEY, ID, TTL, NEVER);
    raw.release(ID, NEVER);
    assertThat(events.get(0).key()).isEmpty();
    assertThat(events.get(1).lockId()).contains(ID);
    LockBackend always = onThisThread().includeRaw(true).over(store);
    always.isLocked(KEY, NEVER);
    assertThat(events.get(2).key()).contains(KEY);
    assertThat(events.get(2).toString()).doesNotContain("secret-key");
    onThisThread().includeRaw(true).includeRaw(false).over(store).isLocked(KEY, NEVER);
    assertThat(events.get(3).key()).isEmpty();
    LockBackend broken = onThisThread()
        .includeRaw(event -> {
          throw new IllegalStateException();
        })
        .over(store);
    broken.isLocked(KEY, NEVER);
    assertThat(events.get(4).key()).isEmpty();
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    LockBackend noisy = Telemetry.to(event -> {
          throw new IllegalStateException("listener");
        })
        .deliverOn(Runnable::run)
        .over(store);
    noisy.acquire(KEY, ID, TTL, NEVER);
    assertThat(noisy.isLocked(KEY, NEVER)).isTrue();
  }

  @Test
  void whateverIsWrongWithTheListenerItsCallerGetsTheLock() {
    Telemetry overflowing = Telemetry.to(event -> {
      throw new StackOverflowError();
    });
    Telemetry withoutThreads = Telemetry.to(events::add).deliverOn(delivery -> {
      throw new OutOfMemoryError("unable to create native thread");
    });
    for (Telemetry telemetry : List.of(overflowing.deliverOn(Runnable::run), withoutThreads)) {
      Locks locks = Locks.over(telemetry.over(store));
      try (Lease lease = locks.lock("report").acquire()) {
        assertThat(lease.isHeld()).isTrue();
      }
      assertThat(locks.isLocked("report")).isFalse();
    }
  }

  @Test
  void eventsArriveInTheOrderOfTheOperations() throws Exception {
    LockBackend observed = Telemetry.to(events::add).over(store);
    for (int i = 0; i < 500; i++) {
      observed.acquire(KEY, ID, TTL, NEVER);
      observed.release(ID, NEVER);
    }
    awaitUntil(() -> events.size() == 1_000);
    assertThat(told().subList(0, 4))
        .containsExactly("ACQUIRE OK", "RELEASE OK", "ACQUIRE OK", "RELEASE OK");
    assertThat(told().stream().distinct()).hasSize(2);
  }

  private static void awaitUntil(BooleanSupplier done) throws InterruptedException {
    for (int i = 0; i < 6_000 && !done.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(done.getAsBoolean()).isTrue();
  }

  @Test
  void leasesAndHandOffsAreToldAsWell() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Locks locks = Locks.over(backend)) {
      Lease first = locks.lock("report").acquire();
      first.extend(Duration.ofSeconds(20));
      Future<Lease> second = threads.submit(() -> locks.lock("report").acquire());
      while (events.size() < 3) {
        Thread.onSpinWait();
      }
      first.release();
      second.get().close();
    } finally {
      threads.shutdownNow();
    }
    assertThat(told())
        .startsWith("ACQUIRE OK", "EXTEND OK", "ACQUIRE FAIL LOCKED")
        .endsWith("ACQUIRE OK", "RELEASE OK", "RELEASE OK");
  }

  @Test
  void aBackendWithTelemetryOffersWhatTheOtherOneDoes() {
    assertThat(backend.capabilities()).isEqualTo(store.capabilities());
    assertThat(backend.listing()).isPresent();
    assertThat(backend.storeCheck()).isEmpty();
  }

  @Test
  void aBackendWithoutTelemetryIsNotWrapped() {
    assertThat(Internals.backend(Locks.over(store))).isSameAs(store);
    assertThat(Internals.backend(Locks.over(backend))).isSameAs(backend).isNotSameAs(store);
  }
}
