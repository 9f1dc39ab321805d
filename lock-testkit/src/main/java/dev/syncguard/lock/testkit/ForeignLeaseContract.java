package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases that somebody else extends or ends: whoever was given the id, or an operator who knows the key. */
public abstract class ForeignLeaseContract extends Contract {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<Locks> opened = new ArrayList<>();
  private Locks holders;
  private Locks others;

  @BeforeEach
  final void openLocks() {
    holders = over(backend);
    others = over(open());
  }

  @AfterEach
  final void closeLocks() {
    opened.forEach(Locks::close);
  }

  private Locks over(LockBackend target) {
    Locks made = Locks.over(target);
    opened.add(made);
    return made;
  }

  private static Lease hold(Locks locks) {
    return locks.lock("report").ttl(MINUTE).acquire();
  }

  @Test
  void aLeaseIsExtendedElsewhereByItsId() {
    Lease lease = hold(holders);
    ExtendResult result = others.extend(lease.id().value(), LONG.duration());
    assertThat(result).isInstanceOfSatisfying(ExtendResult.Extended.class, extended -> {
      assertThat(extended.expiresAt()).isAfter(lease.expiresAt());
      assertThat(others.getByKey("report").orElseThrow().expiresAt())
          .isEqualTo(extended.expiresAt());
    });
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.release()).isTrue();
    assertThat(others.extend(lease.id().value(), LONG.duration()))
        .isInstanceOf(ExtendResult.Absent.class);
    assertFree("report");
  }

  @Test
  void aLeaseIsReleasedElsewhereByItsIdAndItsHolderLearnsSo() throws Exception {
    Lease lease = hold(holders);
    assertThat(others.release(lease.id().value())).isInstanceOf(ReleaseResult.Released.class);
    assertThat(others.release(lease.id().value())).isInstanceOf(ReleaseResult.Absent.class);
    Grant next = take("report");
    assertThat(lease.extend(MINUTE)).isFalse();
    assertThat(lease.isHeld()).isFalse();
    assertThat(lost(lease)).isEqualTo(Loss.GONE);
    lease.close();
    assertHeld(next);
  }

  @Test
  void aLeaseOfTheSameLocksIsLostAsSoonAsItsIdIsReleased() throws Exception {
    Lease lease = hold(holders);
    CompletableFuture<Loss> lost = lease.whenLost().toCompletableFuture();
    assertThat(holders.release(lease.id().value())).isInstanceOf(ReleaseResult.Released.class);
    assertThat(lease.isHeld()).isFalse();
    assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo(Loss.GONE);
    assertThat(holders.release(lease.id().value())).isInstanceOf(ReleaseResult.Absent.class);
    Grant next = take("report");
    lease.close();
    assertHeld(next);
  }

  @Test
  void aLeaseOfTheSameLocksKnowsThatItsIdWasExtended() {
    Lease lease = hold(holders);
    ExtendResult result = holders.extend(lease.id().value(), LONG.duration());
    assertThat(result).isEqualTo(new ExtendResult.Extended(lease.expiresAt()));
    assertThat(lease.remaining()).isGreaterThan(MINUTE);
    lease.close();
    assertFree("report");
  }

  @Test
  void anIdThatNobodyHasChangesNothing() {
    Lease lease = hold(holders);
    String nobody = newId().value();
    assertThat(others.release(nobody)).isInstanceOf(ReleaseResult.Absent.class);
    assertThat(others.extend(nobody, MINUTE)).isInstanceOf(ExtendResult.Absent.class);
    assertThat(lease.extend(MINUTE)).isTrue();
  }

  @Test
  void anOperatorTakesTheKeyFromWhoeverHoldsIt() throws Exception {
    Lease lease = hold(holders);
    assertThat(others.forceRelease("report")).hasValueSatisfying(ended -> {
      assertThat(ended.lockIdHash()).isEqualTo(lease.id().hash());
      assertThat(ended.fence()).isEqualTo(lease.fence());
    });
    Grant next = take("report");
    assertThat(next.fence()).isGreaterThan(lease.fence());
    assertThat(lease.extend(MINUTE)).isFalse();
    assertThat(lost(lease)).isEqualTo(Loss.GONE);
    lease.close();
    assertHeld(next);
  }

  @Test
  void aHolderInTheOperatorsOwnProcessLearnsSoAtOnce() throws Exception {
    Lease lease = hold(holders);
    CompletableFuture<Loss> lost = lease.whenLost().toCompletableFuture();
    assertThat(holders.forceRelease("report")).isPresent();
    assertThat(lease.isHeld()).isFalse();
    assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo(Loss.GONE);
  }

  @Test
  void whoWaitsGetsTheKeyThatAnOperatorTook() throws Exception {
    hold(holders);
    RefusalWatch watched = new RefusalWatch(open());
    CompletableFuture<Lease> waiting =
        over(watched).lock("report").waitUpTo(Duration.ofMinutes(2)).acquireAsync();
    watched.awaitRefusal();
    assertThat(others.forceRelease("report")).isPresent();
    assertThat(waiting.get(2, TimeUnit.MINUTES).isHeld()).isTrue();
  }

  @Test
  void nobodyWhoCameAfterTheHolderThatTheOperatorSawIsTouched() {
    hold(holders);
    List<Grant> successors = new ArrayList<>();
    LockBackend slow = new ForwardingBackend(open()) {
      @Override
      public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
        Optional<LockInfoDebug> seen = super.lookupRaw(query, cancellation);
        seen.ifPresent(
            lock -> assertThat(ForeignLeaseContract.this.release(lock.lockId())).isTrue());
        successors.add(take("report"));
        return seen;
      }
    };
    assertThat(over(slow).forceRelease("report")).isEmpty();
    assertHeld(successors.get(0));
  }

  @Test
  void thereIsNothingToTakeFromAKeyThatIsFree() {
    assertThat(others.forceRelease("report")).isEmpty();
    take("report", SHORT);
    passBeyond(SHORT);
    assertThat(others.forceRelease("report")).isEmpty();
    assertFree("report");
  }

  @Test
  void whatAnOperatorTookIsTold() {
    List<LockEvent> events = new ArrayList<>();
    Locks observed = over(Telemetry.to(events::add).deliverOn(Runnable::run).over(open()));
    hold(holders);
    observed.forceRelease("report");
    observed.forceRelease("report");
    assertThat(events)
        .allSatisfy(event -> {
          assertThat(event.type()).isEqualTo(LockEvent.Type.FORCE_RELEASE);
          assertThat(event.keyHash()).contains(LockKey.of("report").hash());
        })
        .extracting(LockEvent::outcome)
        .containsExactly(LockEvent.Outcome.OK, LockEvent.Outcome.FAIL);
  }

  @Test
  void whatIsCancelledBeforeItBeginsChangesNothing() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    Grant held = take("report");
    String id = held.id().value();
    List<Runnable> calls = List.of(
        () -> others.isLocked("report", cancelled),
        () -> others.getByKey("report", cancelled),
        () -> others.getById(id, cancelled),
        () -> others.getByKeyRaw("report", cancelled),
        () -> others.getByIdRaw(id, cancelled),
        () -> others.owns(id, cancelled),
        () -> others.release(id, cancelled),
        () -> others.extend(id, MINUTE, cancelled),
        () -> others.forceRelease("report", cancelled));
    calls.forEach(call -> assertRefused(LockException.Code.ABORTED, call));
    assertHeld(held);
  }

  @Test
  void whatIsCancelledBeforeItBeginsDoesNotTakeALeaseOfTheSameLocks() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    Lease lease = hold(holders);
    String id = lease.id().value();
    List<Runnable> calls = List.of(
        () -> holders.release(id, cancelled),
        () -> holders.extend(id, MINUTE, cancelled),
        () -> holders.forceRelease("report", cancelled));
    calls.forEach(call -> assertRefused(LockException.Code.ABORTED, call));
    assertThat(lease.isHeld()).isTrue();
    assertThat(isLocked("report")).isTrue();
  }

  @Test
  void aReleaseThatIsNotWaitedForStillHappens() throws Exception {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    Lease lease = hold(holders);
    assertRefused(LockException.Code.ABORTED, () -> lease.release(cancelled));
    assertThat(lease.isHeld()).isFalse();
    for (int round = 0; round < 6_000 && isLocked("report"); round++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertFree("report");
  }

  @Test
  void whatIsNoLockIdIsRefusedBeforeAnythingIsAsked() {
    take("report");
    for (String wrong : List.of("report", "", newId().value() + "x")) {
      assertRefused(LockException.Code.INVALID_ARGUMENT, () -> others.release(wrong));
      assertRefused(LockException.Code.INVALID_ARGUMENT, () -> others.extend(wrong, MINUTE));
    }
    assertThat(isLocked("report")).isTrue();
  }

  private static Loss lost(Lease lease) throws Exception {
    return lease.whenLost().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }
}
