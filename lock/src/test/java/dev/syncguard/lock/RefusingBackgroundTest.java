package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static dev.syncguard.lock.LockException.Code.SERVICE_UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens when nobody does the work in the background: an executor was shut down, or has no thread left. */
@Timeout(60)
class RefusingBackgroundTest {

  private final TroubledBackend backend = new TroubledBackend(new MemoryLockBackend());
  private final List<Runnable> accepted = new ArrayList<>();
  private final List<LockException> reported = new ArrayList<>();
  private boolean refuses = true;
  private final Locks locks = Locks.builder(backend)
      .background((delay, work) -> {
        if (refuses) {
          throw new RejectedExecutionException("shut down");
        }
        accepted.add(work);
        return () -> accepted.remove(work);
      })
      .disposeTimeout(Duration.ofSeconds(30))
      .onReleaseError((error, failure) -> reported.add(error))
      .build();

  private void loseAReply() {
    backend.next(Call.ACQUIRE, TroubledBackend.replyLost(NETWORK_TIMEOUT));
    assertThatThrownBy(() -> locks.lock("report").tryAcquire())
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(NETWORK_TIMEOUT));
  }

  @Test
  void aLockThatNobodyWillUseIsGivenBackByTheCallerItself() {
    loseAReply();
    assertThat(locks.isLocked("report")).isFalse();
    assertThat(reported).isEmpty();
  }

  @Test
  void aBackgroundThatRecoversIsUsedAgain() {
    for (int i = 0; i < 10; i++) {
      loseAReply();
    }
    refuses = false;
    loseAReply();
    assertThat(accepted).hasSize(1);
    accepted.get(0).run();
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aReleaseThatCannotBeTriedAgainLaterIsReported() {
    backend.next(Call.RELEASE, TroubledBackend.requestLost(SERVICE_UNAVAILABLE));
    loseAReply();
    assertThat(reported)
        .singleElement()
        .satisfies(error -> assertThat(error.code()).isEqualTo(SERVICE_UNAVAILABLE));
  }

  @Test
  void closingALeaseReleasesIt() {
    locks.lock("report").acquire().close();
    assertThat(locks.isLocked("report")).isFalse();
    assertThat(reported).isEmpty();
  }

  @Test
  void aLeaseThatCannotBeRenewedIsNotHandedOut() {
    LockRequest renewed = locks.lock("report").autoExtend(Duration.ofHours(1));
    assertThatThrownBy(renewed::acquire).isInstanceOf(LockException.class);
    assertThatThrownBy(renewed::tryAcquire).isInstanceOf(LockException.class);
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void anAsynchronousCallFailsInItsFuture() {
    assertThatThrownBy(() -> locks.lock("report").acquireAsync().get())
        .hasCauseInstanceOf(LockException.class);
  }
}
