package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.INVALID_ARGUMENT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AutoExtendTest {

  private static final Duration TTL = Duration.ofSeconds(9);

  private final ManualTime time = ManualTime.stopped();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final TroubledBackend backend = new TroubledBackend(store);
  private final Locks locks =
      Locks.builder(backend).time(time).background(time.background()).build();
  private final List<Loss> losses = new ArrayList<>();

  private Lease takeForUpTo(Duration maxHold) {
    Lease lease = locks.lock("report").ttl(TTL).autoExtend(maxHold).tryAcquire().orElseThrow();
    lease.whenLost().thenAccept(losses::add);
    return lease;
  }

  private long renewals() {
    return Collections.frequency(backend.calls, Call.EXTEND);
  }

  @Test
  void aLeaseIsRenewedAtAThirdOfItsTtl() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    time.advance(Duration.ofMillis(2999));
    assertThat(renewals()).isZero();
    time.advance(Duration.ofMillis(1));
    assertThat(renewals()).isEqualTo(1);
    assertThat(lease.remaining()).isEqualTo(TTL);
    time.advance(Duration.ofSeconds(60));
    assertThat(renewals()).isEqualTo(21);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void itIsNotHeldForLongerThanTheMaximum() {
    Lease lease = takeForUpTo(Duration.ofSeconds(20));
    time.advance(Duration.ofMillis(19_999));
    assertThat(lease.isHeld()).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(lease.isHeld()).isFalse();
    assertThat(losses).containsExactly(Loss.RAN_OUT);
    time.advance(Duration.ofSeconds(1));
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void renewingEndsWithTheRelease() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    lease.release();
    time.advance(Duration.ofMinutes(5));
    assertThat(renewals()).isZero();
    assertThat(losses).isEmpty();
  }

  @Test
  void aReleasedLeaseIsNotRememberedUntilItsRenewalWouldHaveBeen() {
    List<Runnable> planned = new ArrayList<>();
    Locks remembering = Locks.builder(backend)
        .background((delay, work) -> {
          planned.add(work);
          return () -> planned.remove(work);
        })
        .build();
    Lease lease =
        remembering.lock("report").autoExtend(Duration.ofHours(1)).tryAcquire().orElseThrow();
    assertThat(planned).isNotEmpty();
    lease.release();
    assertThat(planned).isEmpty();
  }

  @Test
  void whenTheLocksAreClosedRenewingEndsAndTheLossIsTold() {
    Locks inline = Locks.builder(backend)
        .time(time)
        .background((delay, work) -> {
          if (delay.isZero()) {
            work.run();
            return () -> {};
          }
          return time.background().after(delay, work);
        })
        .build();
    Lease lease = inline
        .lock("report")
        .ttl(TTL)
        .autoExtend(Duration.ofHours(1))
        .tryAcquire()
        .orElseThrow();
    lease.whenLost().thenAccept(losses::add);
    time.advance(Duration.ofSeconds(3));
    inline.close();
    assertThat(lease.isHeld()).isFalse();
    assertThat(losses).containsExactly(Loss.CLOSED);
    assertThat(locks.isLocked("report")).isFalse();
    time.advance(TTL.multipliedBy(3));
    assertThat(renewals()).isEqualTo(1);
  }

  @Test
  void aRenewalThatCrossesTheReleaseNeitherRevivesNorReportsAnything() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    backend.next(Call.EXTEND, TroubledBackend.after(lease::release));
    time.advance(TTL);
    assertThat(locks.isLocked("report")).isFalse();
    assertThat(renewals()).isEqualTo(1);
    assertThat(losses).isEmpty();
  }

  @Test
  void aStoreThatStumblesIsAskedAgainWhileTheLeaseIsValid() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    for (int i = 0; i < 3; i++) {
      backend.next(Call.EXTEND, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
    time.advance(Duration.ofSeconds(8));
    assertThat(renewals()).isGreaterThan(3);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void aRenewalThatIsNotAnsweredIsBrokenOffInTimeForAnother() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    // At 3 s of 9 s, so that it is broken off 3 s later. The store would have extended the lease at
    // 7 s.
    backend.next(Call.EXTEND, TroubledBackend.after(() -> time.advance(Duration.ofSeconds(4))));
    time.advance(Duration.ofSeconds(8));
    assertThat(renewals()).isEqualTo(2);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void aBackendThatThrowsWhatItShouldNotIsAskedAgainAsWell() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    backend.next(Call.EXTEND, TroubledBackend.after(() -> {
      throw new IllegalStateException("the backend is broken");
    }));
    time.advance(TTL);
    assertThat(lease.isHeld()).isTrue();
    assertThat(losses).isEmpty();
  }

  @Test
  void aStoreThatStaysAwayCostsTheLeaseExactlyWhenItsTimeIsUp() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    for (int i = 0; i < 10_000; i++) {
      backend.next(Call.EXTEND, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
    time.advance(TTL.minusMillis(1));
    assertThat(losses).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(losses).containsExactly(Loss.RAN_OUT);
    assertThat(lease.isHeld()).isFalse();
    long soFar = renewals();
    time.advance(Duration.ofMinutes(1));
    assertThat(renewals()).isEqualTo(soFar).isLessThan(10_000);
  }

  @Test
  void aLeaseThatWasTakenAwayIsReportedAtTheNextRenewal() {
    Lease lease = takeForUpTo(Duration.ofHours(1));
    store.release(lease.id(), Cancellation.none());
    time.advance(Duration.ofSeconds(3));
    assertThat(losses).containsExactly(Loss.GONE);
    time.advance(Duration.ofMinutes(1));
    assertThat(renewals()).isEqualTo(1);
  }

  @Test
  void aMaximumBelowTheTtlIsRefusedWhereItIsSet() {
    assertThatThrownBy(() -> locks.lock("report").ttl(TTL).autoExtend(TTL.minusMillis(1)))
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(INVALID_ARGUMENT));
    assertThatThrownBy(() ->
            locks.lock("report").autoExtend(Duration.ofSeconds(40)).ttl(Duration.ofSeconds(41)))
        .isInstanceOf(LockException.class);
  }
}
