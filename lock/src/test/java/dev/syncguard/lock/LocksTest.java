package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ABORTED;
import static dev.syncguard.lock.LockException.Code.INVALID_ARGUMENT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocksTest {

  private final ManualTime time = ManualTime.stopped();
  private final TroubledBackend backend = new TroubledBackend(new MemoryLockBackend(time));
  private final List<LockException> reported = new ArrayList<>();
  private final Locks locks = Locks.builder(backend)
      .onReleaseError((error, failure) -> reported.add(error))
      .build();

  @AfterEach
  void close() {
    locks.close();
  }

  @Test
  void workRunsUnderTheLockWhichIsReleasedAfterwards() throws IOException {
    String result = locks.lock("report").call(lease -> {
      assertThat(lease.isHeld()).isTrue();
      assertThat(locks.isLocked("report")).isTrue();
      if (lease.fence().value() > 100) {
        throw new IOException("so that the compiler sees checked exceptions pass through");
      }
      return "done by " + lease.fence();
    });
    assertThat(result).isEqualTo("done by 000000000000001");
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aLeaseMayBeClosedAfterTheLocksWereClosed() {
    Locks closedEarly =
        Locks.builder(backend).disposeTimeout(Duration.ofSeconds(30)).build();
    Lease lease = closedEarly.lock("report").acquire();
    closedEarly.close();
    lease.close();
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void whatTheWorkThrowsReachesTheCallerAndTheLockIsReleased() {
    assertThatThrownBy(() -> locks.lock("report").run(lease -> {
          throw new IOException("disk on fire");
        }))
        .isInstanceOf(IOException.class)
        .hasMessage("disk on fire");
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aReleaseThatFailsHidesNeitherTheResultNorTheError() {
    for (int i = 0; i < 1_000; i++) {
      backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    }
    assertThat(locks.lock("report").<Integer, RuntimeException>call(lease -> 42))
        .isEqualTo(42);
    assertThatThrownBy(() -> locks.lock("other").run(lease -> {
          throw new IllegalStateException("the work");
        }))
        .hasMessage("the work")
        .hasNoSuppressedExceptions();
    assertThat(reported).hasSize(2);
  }

  @Test
  void cancellingTheWorkDoesNotKeepItsLockFromBeingReleased() {
    Cancellation cancellation = Cancellation.create();
    locks.lock("report").cancelWith(cancellation).run(lease -> cancellation.cancel());
    assertThat(locks.isLocked("report")).isFalse();
    assertThatThrownBy(() -> locks.lock("report").cancelWith(cancellation).acquire())
        .isInstanceOfSatisfying(LockException.class, e -> assertThat(e.code()).isEqualTo(ABORTED));
    assertThatThrownBy(() -> locks.lock("report").cancelWith(cancellation).tryAcquire())
        .isInstanceOfSatisfying(LockException.class, e -> assertThat(e.code()).isEqualTo(ABORTED));
  }

  @Test
  void anErrorInTheWorkStillReleases() {
    assertThatThrownBy(() -> locks.lock("report").run(lease -> {
          throw new StackOverflowError();
        }))
        .isInstanceOf(StackOverflowError.class);
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aBusyKeyIsAnAnswerAndNotAnError() {
    Lease held = locks.lock("report").acquire();
    assertThat(locks.lock("report").tryAcquire()).isEmpty();
    held.release();
    assertThat(locks.lock("report").tryAcquire()).isPresent();
  }

  @Test
  void twoSpellingsOfOneTextAreOneKey() {
    locks.lock("caf\u00e9").acquire();
    assertThat(locks.lock("cafe\u0301").tryAcquire()).isEmpty();
    assertThat(locks.isLocked("cafe\u0301")).isTrue();
  }

  @Test
  void aLiveLockCanBeLookedUpWithAndWithoutItsSecrets() {
    Lease lease = locks.lock("report").ttl(Duration.ofSeconds(10)).acquire();
    String id = lease.id().value();
    LockInfo info = locks.getByKey("report").orElseThrow();
    assertThat(info).isEqualTo(locks.getById(id).orElseThrow());
    assertThat(info.fence()).isEqualTo(lease.fence());
    assertThat(info.keyHash()).isEqualTo(LockKey.of("report").hash());
    assertThat(info.remaining()).isEqualTo(Duration.ofSeconds(10));
    assertThat(locks.getByKeyRaw("report").orElseThrow().lockId()).isEqualTo(lease.id());
    assertThat(locks.getByIdRaw(id).orElseThrow().key()).isEqualTo(lease.key());
    assertThat(locks.owns(id)).isTrue();
    time.advance(Duration.ofSeconds(11));
    assertThat(locks.owns(id)).isFalse();
    assertThat(locks.getByKey("report")).isEmpty();
  }

  @Test
  void whatIsShownNeverContainsKeyOrLockId() {
    Lease lease = locks.lock("secret-key").acquire();
    String id = lease.id().value();
    for (Object shown : List.of(
        lease,
        lease.key(),
        lease.id(),
        locks.getByKey("secret-key"),
        locks.getByKeyRaw("secret-key"),
        new ReleaseErrorHandler.Failure(lease.key(), lease.id(), ReleaseErrorHandler.Source.CLOSE),
        new LockException(ABORTED, "given up").about(lease.key()).about(lease.id()))) {
      assertThat(shown.toString()).doesNotContain("secret-key").doesNotContain(id);
    }
  }

  @Test
  void badArgumentsFailOnTheLineThatHasThem() {
    assertInvalid(() -> locks.lock(""));
    assertInvalid(() -> locks.lock("x".repeat(513)));
    assertInvalid(() -> locks.lock("report").ttl(Duration.ZERO));
    assertInvalid(() -> locks.lock("report").ttl(Duration.ofMillis(-1)));
    assertInvalid(() -> locks.lock("report").ttl(Duration.ofNanos(1_500_000)));
    assertInvalid(() -> locks.lock("report").ttl(Duration.ofMillis(Integer.MAX_VALUE + 1L)));
    assertInvalid(() -> locks.lock("report").ttl(Duration.ofSeconds(Long.MAX_VALUE)));
    assertInvalid(() -> locks.lock("report").waitUpTo(Duration.ofMillis(-1)));
    assertInvalid(() -> locks.lock("report").waitUpTo(Duration.ofSeconds(Long.MAX_VALUE)));
    assertInvalid(() -> locks.lockAll());
    assertInvalid(() -> locks.getById("too-short"));
    assertInvalid(() -> locks.owns("0123456789012345678901\n"));
    assertInvalid(() -> Locks.builder(backend).disposeTimeout(Duration.ZERO));
    assertInvalid(() -> Locks.builder(backend).disposeTimeout(Duration.ofSeconds(Long.MAX_VALUE)));
    assertInvalid(() -> Locks.builder(backend).maxHandOffs(-1));
    assertInvalid(
        () -> new ElectionTiming(Duration.ofSeconds(15), Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(backend.calls).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // That is the point.
  void whatIsMissingIsMissedOnTheLineThatShouldHaveIt() {
    assertMissed(() -> Locks.over(null));
    assertMissed(() -> Locks.builder(backend).time(null));
    assertMissed(() -> Locks.builder(backend).random(null));
    assertMissed(() -> Locks.builder(backend).background(null));
    assertMissed(() -> Locks.builder(backend).onReleaseError(null));
    assertMissed(() -> Locks.builder(backend).note(null));
    assertMissed(() -> Locks.builder(backend).listener(null));
    assertMissed(() -> locks.lock("report").polling(null));
    assertMissed(() -> locks.lock("report").cancelWith(null));
    assertMissed(() -> locks.lock("report").onReleaseError(null));
    assertMissed(() -> locks.elect("report", null));
    assertThat(backend.calls).isEmpty();
  }

  private static void assertMissed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
  }

  @Test
  void aReleaseThatAsksForTooMuchEndsNothing() {
    Lease lease = locks.lock("report").acquire();
    assertInvalid(() -> lease.releaseAfter(Ttl.MAX.plusMillis(1)));
    assertThat(lease.isHeld()).isTrue();
    lease.close();
    assertThat(locks.isLocked("report")).isFalse();
  }

  private static void assertInvalid(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(INVALID_ARGUMENT));
  }

  @Test
  void severalKeysAreTakenInOneOrderWhateverTheCallerSays() {
    try (LeaseGroup group = locks.lockAll("b", "c", "a", "b").acquire()) {
      assertThat(group.leases())
          .extracting(lease -> lease.key().value())
          .containsExactly("a", "b", "c");
      assertThat(group.lease("c").isHeld()).isTrue();
      assertThat(group.remaining()).isPositive();
    }
    assertThat(List.of("a", "b", "c")).noneMatch(locks::isLocked);
  }

  @Test
  void severalKeysAreTakenAllOrNone() {
    Lease held = locks.lock("b").acquire();
    assertThat(locks.lockAll("a", "b", "c").tryAcquire()).isEmpty();
    assertThatThrownBy(
            () -> locks.lockAll("a", "b", "c").waitUpTo(Duration.ofMillis(20)).acquire())
        .isInstanceOf(LockException.class);
    assertThat(List.of("a", "c")).noneMatch(locks::isLocked);
    backend.next(Call.ACQUIRE, TroubledBackend.after(() -> {}));
    backend.next(Call.ACQUIRE, TroubledBackend.requestLost(LockException.Code.AUTH_FAILED));
    assertThatThrownBy(() -> locks.lockAll("a", "c").tryAcquire())
        .isInstanceOf(LockException.class);
    assertThat(List.of("a", "c")).noneMatch(locks::isLocked);
    held.release();
    locks.lockAll("a", "b", "c").run(group -> assertThat(group.leases()).hasSize(3));
  }

  @Test
  void aGroupIsLostWithItsFirstLease() throws Exception {
    LeaseGroup group = locks.lockAll("a", "b").acquire();
    CompletableFuture<Loss> loss = group.whenLost().toCompletableFuture();
    backend.release(group.lease("b").id(), Cancellation.none());
    group.lease("b").extend(Duration.ofSeconds(1));
    assertThat(loss.get()).isEqualTo(Loss.GONE);
    assertThatThrownBy(() -> group.ensureHeld(Duration.ZERO))
        .isInstanceOf(LeaseLostException.class);
    group.close();
  }

  @Test
  void futuresDeliverLeasesAndResults() throws Exception {
    Lease lease = locks.lock("report").acquireAsync().get();
    assertThat(locks.lock("report").tryAcquireAsync().get()).isEmpty();
    CompletableFuture<Fence> next = locks.lock("report").callAsync(Lease::fence);
    CompletableFuture<Void> last = locks.lock("report").runAsync(l -> {});
    lease.release();
    assertThat(next.get().value()).isGreaterThan(1);
    last.get();
    assertThat(locks.lockAll("a", "b").acquireAsync().get().leases()).hasSize(2);
  }

  @Test
  void aFutureThatFailsCarriesTheLocksException() {
    Lease held = locks.lock("report").acquire();
    assertThatThrownBy(() ->
            locks.lock("report").waitUpTo(Duration.ofMillis(10)).acquireAsync().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LockException.class);
    held.release();
  }

  @Test
  void cancellingAFutureLeavesNoLockBehind() throws InterruptedException {
    Lease held = locks.lock("report").acquire();
    CompletableFuture<Lease> future =
        locks.lock("report").waitUpTo(Duration.ofSeconds(30)).acquireAsync();
    assertThat(future.cancel(true)).isTrue();
    held.release();
    locks.lock("report").run(lease -> {});

    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    backend.next(Call.ACQUIRE, TroubledBackend.before(() -> {
      asked.countDown();
      awaitUninterruptibly(answer);
    }));
    CompletableFuture<Optional<Lease>> late = locks.lock("late").tryAcquireAsync();
    asked.await();
    late.cancel(true);
    answer.countDown();
    while (locks.isLocked("late")) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void aFutureThatRunsOutOfTimeEndsTheWait() throws InterruptedException {
    Lease held = locks.lock("report").acquire();
    CompletableFuture<Lease> future =
        locks.lock("report").waitUpTo(Duration.ofDays(1)).acquireAsync();
    assertThatThrownBy(() -> future.orTimeout(1, TimeUnit.MILLISECONDS).get())
        .hasCauseInstanceOf(TimeoutException.class);
    while (!locks.isIdle()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    held.release();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCallersTokenAlsoEndsAnAsynchronousWait() {
    Lease held = locks.lock("report").acquire();
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<Lease> future = locks
        .lock("report")
        .waitUpTo(Duration.ofSeconds(30))
        .cancelWith(cancellation)
        .acquireAsync();
    cancellation.cancel();
    assertThatThrownBy(future::get).hasCauseInstanceOf(LockException.class);
    held.release();
  }

  @Test
  void aLeaseMayBeReleasedByAnotherThreadThanTheOneThatTookIt() throws InterruptedException {
    CompletableFuture<Lease> handed = new CompletableFuture<>();
    Thread taker = new Thread(() -> handed.complete(locks.lock("report").acquire()));
    taker.start();
    taker.join();
    assertThat(handed.join().release()).isTrue();
  }
}
