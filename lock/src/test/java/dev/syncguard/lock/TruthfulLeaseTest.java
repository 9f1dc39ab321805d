package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ABORTED;
import static dev.syncguard.lock.LockException.Code.ACQUISITION_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.AUTH_FAILED;
import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a lease says about itself is true, and what it leaves behind at the store is cleared away. */
class TruthfulLeaseTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Ttl FOREVER = Ttl.ofMillis(3_600_000);

  private final ManualTime time = ManualTime.skipping();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final TroubledBackend backend = new TroubledBackend(store);
  private final List<String> reported = new ArrayList<>();
  private final Locks locks = Locks.builder(backend)
      .time(time)
      .background(time.background())
      .onReleaseError((error, failure) -> reported.add(error.code() + " " + failure.source()))
      .build();

  private Lease take() {
    return locks.lock("report").ttl(TTL).tryAcquire().orElseThrow();
  }

  private void storeIsAway(Call call, int times) {
    for (int i = 0; i < times; i++) {
      backend.next(call, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
  }

  private LockException refusalOf(LockRequest request) {
    return catchThrowableOfType(LockException.class, request::acquire);
  }

  private long count(Call call) {
    return Collections.frequency(backend.calls, call);
  }

  // ---- releases

  @Test
  void aReleaseThatFailedIsTriedAgainUntilTheKeyIsFree() {
    Lease lease = locks.lock("report").ttl(Duration.ofMinutes(5)).tryAcquire().orElseThrow();
    storeIsAway(Call.RELEASE, 8);
    lease.close();
    assertThat(reported).containsExactly("SERVICE_UNAVAILABLE CLOSE");
    time.advance(Duration.ofSeconds(10));
    assertThat(locks.isLocked("report")).isFalse();
    assertThat(reported).hasSize(1);
    long soFar = count(Call.RELEASE);
    time.advance(Duration.ofMinutes(10));
    assertThat(count(Call.RELEASE)).as("asked after the answer").isEqualTo(soFar);
  }

  @Test
  void theKeyIsFreeWithinASecondAfterTheStoreAnswersAgain() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      leases.add(locks.lock("key-" + i).ttl(Duration.ofMinutes(5)).tryAcquire().orElseThrow());
    }
    storeIsAway(Call.RELEASE, 100_000);
    leases.forEach(Lease::close);
    time.advance(Duration.ofSeconds(30));
    assertThat(count(Call.RELEASE)).as("requests to a store that is away").isLessThan(200);
    backend.forget(Call.RELEASE);
    time.advance(Duration.ofSeconds(1));
    assertThat(leases).noneMatch(lease -> store.isLocked(lease.key(), Cancellation.none()));
  }

  @Test
  void aReleaseThatWasThrownToItsCallerIsTriedAgainAsWell() {
    Lease lease = take();
    storeIsAway(Call.RELEASE, 1);
    assertThatThrownBy(lease::release).isInstanceOf(LockException.class);
    time.advance(Duration.ofSeconds(1));
    assertThat(locks.isLocked("report")).isFalse();
  }

  // ---- doubt

  @Test
  void aRefusalEndsTheDoubtAboutAnEarlierRequest() {
    Lease other = locks.lock("report").ttl(Duration.ofSeconds(3)).tryAcquire().orElseThrow();
    assertThat(other.isHeld()).isTrue();
    storeIsAway(Call.ACQUIRE, 1);
    Lease lease = locks.lock("report").ttl(TTL).waitUpTo(Duration.ofMinutes(1)).acquire();
    assertThat(lease.remaining()).isEqualTo(TTL);
  }

  @Test
  void aBlipLongAgoDoesNotCostTheGrantNorThePlaceInLine() {
    locks.lock("report").ttl(Duration.ofSeconds(30)).tryAcquire();
    storeIsAway(Call.ACQUIRE, 1);
    Lease lease = locks
        .lock("report")
        .ttl(Duration.ofSeconds(2))
        .waitUpTo(Duration.ofMinutes(5))
        .acquire();
    assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(2));
    assertThat(lease.fence()).isEqualTo(new Fence(2));
  }

  // ---- ghosts

  private LockId loseARequest() {
    List<LockId> ids = new ArrayList<>();
    backend.onAcquire(ids::add);
    storeIsAway(Call.ACQUIRE, 1);
    assertThatThrownBy(() -> locks.lock("report").ttl(TTL).tryAcquire())
        .isInstanceOf(LockException.class);
    return ids.get(0);
  }

  @Test
  void aRequestThatArrivesSecondsLateIsGivenBack() {
    for (int late : new int[] {100, 1_000, 5_000, 9_000}) {
      LockId id = loseARequest();
      time.advance(Duration.ofMillis(late));
      store.acquire(LockKey.of("report"), id, FOREVER, Cancellation.none());
      time.advance(Duration.ofSeconds(1));
      assertThat(locks.isLocked("report")).as("locked after %d ms", late).isFalse();
      time.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void aRequestThatArrivesAfterALaterOneWasGrantedAndReleasedIsGivenBack() {
    List<LockId> ids = new ArrayList<>();
    backend.onAcquire(ids::add);
    storeIsAway(Call.ACQUIRE, 1);
    locks.lock("report").ttl(TTL).run(lease -> {});
    assertThat(locks.isLocked("report")).isFalse();
    time.advance(Duration.ofSeconds(3));
    store.acquire(LockKey.of("report"), ids.get(0), FOREVER, Cancellation.none());
    time.advance(Duration.ofSeconds(1));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void noIdIsPursuedForever() {
    loseARequest();
    time.advance(Duration.ofMinutes(1));
    long soFar = count(Call.RELEASE);
    assertThat(soFar).isLessThan(40);
    time.advance(Duration.ofMinutes(10));
    assertThat(count(Call.RELEASE)).isEqualTo(soFar);
  }

  @Test
  void nobodyIsToldOfARequestThatDidNotArriveBecauseTheStoreWentAwayAfterwards() {
    loseARequest();
    time.advance(Duration.ofSeconds(2));
    assertThat(count(Call.RELEASE)).as("the store has answered").isPositive();
    for (int i = 0; i < 1_000; i++) {
      backend.next(Call.RELEASE, TroubledBackend.requestLost(LockException.Code.INTERNAL));
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(reported).isEmpty();
  }

  // ---- patience

  @Test
  void aWaiterOutlastsAnOutage() {
    storeIsAway(Call.ACQUIRE, 100);
    Lease lease = locks.lock("report").waitUpTo(Duration.ofMinutes(10)).acquire();
    assertThat(lease.isHeld()).isTrue();
    assertThat(count(Call.ACQUIRE)).isEqualTo(101);
  }

  @Test
  void aWaiterEndsAtItsLimitAndSaysThatTheStoreWasAway() {
    storeIsAway(Call.ACQUIRE, 1_000);
    long before = time.nanos();
    LockException error = refusalOf(locks.lock("report").waitUpTo(Duration.ofSeconds(3)));
    assertThat(Duration.ofNanos(time.nanos() - before)).isEqualTo(Duration.ofSeconds(3));
    assertThat(error.code()).isEqualTo(SERVICE_UNAVAILABLE);
    assertThat(error).hasMessageContaining("3000 ms").hasMessageContaining("lost on its way");
    assertThat(error.key()).contains(LockKey.of("report"));
    assertThat(error.lockId()).isPresent();
  }

  @Test
  void aWaiterThatWasRefusedInTheEndSaysThatSomebodyElseHeldTheLock() {
    store.acquire(LockKey.of("report"), LockId.parse("A".repeat(22)), FOREVER, Cancellation.none());
    storeIsAway(Call.ACQUIRE, 3);
    LockException error = refusalOf(locks.lock("report").waitUpTo(Duration.ofSeconds(5)));
    assertThat(error.code()).isEqualTo(ACQUISITION_TIMEOUT);
    assertThat(error.lockId()).isPresent();
  }

  @Test
  void whatWaitingCannotMendEndsTheWaitAtOnce() {
    backend.next(Call.ACQUIRE, TroubledBackend.requestLost(AUTH_FAILED));
    long before = time.nanos();
    LockException error = refusalOf(locks.lock("report").waitUpTo(Duration.ofMinutes(5)));
    assertThat(error.code()).isEqualTo(AUTH_FAILED);
    assertThat(time.nanos()).isEqualTo(before);
  }

  @Test
  void whoeverWantsToFailFastDoes() {
    storeIsAway(Call.ACQUIRE, 1_000);
    LockException error =
        refusalOf(locks.lock("report").waitUpTo(Duration.ofMinutes(5)).failFast());
    assertThat(error.code()).isEqualTo(SERVICE_UNAVAILABLE);
    assertThat(count(Call.ACQUIRE)).isEqualTo(1);
  }

  // ---- renewal

  @Test
  void aLeaseThatWasGrantedSlowlyIsRenewedAtOnce() {
    ManualTime stopped = ManualTime.stopped();
    TroubledBackend slow = new TroubledBackend(new MemoryLockBackend(stopped));
    Locks slowLocks =
        Locks.builder(slow).time(stopped).background(stopped.background()).build();
    slow.next(
        Call.ACQUIRE, TroubledBackend.before(() -> stopped.advance(Duration.ofMillis(1_500))));
    Lease lease = slowLocks
        .lock("report")
        .ttl(Duration.ofSeconds(2))
        .autoExtend(Duration.ofHours(1))
        .acquire();
    assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(500));
    stopped.advance(Duration.ofMillis(10));
    assertThat(lease.remaining()).isGreaterThan(Duration.ofMillis(1_900));
    stopped.advance(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isTrue();
  }

  // ---- losing

  @Test
  void aLeaseThatWasLostCannotBeExtended() {
    Lease lease = take();
    time.advance(TTL);
    assertThat(lease.isHeld()).isFalse();
    assertThat(lease.extend(TTL)).isFalse();
    assertThat(lease.isHeld()).isFalse();
    assertThat(backend.calls).doesNotContain(Call.EXTEND);
    time.advance(Duration.ofMillis(1_001));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void anExtensionThatIsConfirmedTooLateIsRefusedAndGivenBack() {
    Lease lease = take();
    backend.next(Call.EXTEND, TroubledBackend.before(() -> time.advance(TTL)));
    time.advance(TTL.minusMillis(10));
    assertThat(lease.extend(Duration.ofMinutes(10))).isFalse();
    assertThat(lease.isHeld()).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aLeaseThatRanOutWhileAnExtensionWasInDoubtIsGivenBack() {
    Lease lease = take();
    List<Loss> losses = new ArrayList<>();
    lease.whenLost().thenAccept(losses::add);
    backend.next(Call.EXTEND, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> lease.extend(Duration.ofMinutes(10)))
        .isInstanceOf(LockException.class);
    time.advance(TTL);
    assertThat(losses).containsExactly(Loss.RAN_OUT);
    assertThat(locks.isLocked("report")).isTrue();
    time.advance(Duration.ofSeconds(2));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void lostIsNotAborted() {
    Lease lease = take();
    lease.release();
    assertThatThrownBy(() -> lease.ensureHeld(Duration.ZERO))
        .isInstanceOfSatisfying(LeaseLostException.class, e -> {
          assertThat(e.code()).isNotEqualTo(ABORTED);
          assertThat(e.key()).contains(lease.key());
          assertThat(e.lockId()).contains(lease.id());
          assertThat(e.toString()).contains(lease.key().hash().hex());
        });
  }

  // ---- a store that forgot

  @Test
  void aFenceThatDoesNotRiseIsRefusedAndGivenBack() {
    for (int i = 0; i < 3; i++) {
      take().release();
    }
    store.presetFence(LockKey.of("report"), 0);
    for (LockRequest request : List.of(locks.lock("report"))) {
      LockException error = catchThrowableOfType(LockException.class, request::tryAcquire);
      assertThat(error.code()).isEqualTo(LockException.Code.FENCE_REGRESSION);
      assertThat(error).hasMessageContaining("fence 1").hasMessageContaining("fence 3");
      assertThat(error.lockId()).isPresent();
      assertThat(error.isRetryable()).isFalse();
    }
    time.advance(Duration.ZERO);
    assertThat(locks.isLocked("report")).isFalse();
    assertThat(refusalOf(locks.lock("report")).code())
        .isEqualTo(LockException.Code.FENCE_REGRESSION);
    time.advance(Duration.ZERO);
    assertThat(locks.isLocked("report")).isFalse();
    store.presetFence(LockKey.of("report"), 3);
    assertThat(take().fence()).isEqualTo(new Fence(4));
  }

  // ---- giving up

  @Test
  void whoeverHasGivenUpAlreadySendsNothing() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    LockRequest request = locks.lock("report").cancelWith(cancelled);
    for (LockException error : List.of(
        catchThrowableOfType(LockException.class, request::tryAcquire), refusalOf(request))) {
      assertThat(error.code()).isEqualTo(ABORTED);
      assertThat(error.key()).contains(LockKey.of("report"));
      assertThat(error.lockId()).isPresent();
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(backend.calls).isEmpty();
  }
}
