package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A caller who has given up gets {@code Aborted}, and what was not sent yet never happens. */
public abstract class CancellationContract extends Contract {

  @Test
  @Tag("check-56")
  void aCancelledAcquireIsAbortedAndTakesNothing() {
    LockId id = newId();
    assertAborted(() -> backend.acquire(key("report"), id, LONG, cancelled()));
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isEmpty();
    assertThat(take("report").fence().value()).isEqualTo(1);
  }

  @Test
  @Tag("check-57")
  void aCancelledReleaseIsAbortedAndReleasesNothing() {
    Grant grant = take("report");
    assertAborted(() -> backend.release(grant.id(), cancelled()));
    assertHeld(grant);
  }

  @Test
  @Tag("check-58")
  void aCancelledExtendIsAbortedAndExtendsNothing() {
    Grant grant = take("report");
    assertAborted(() -> backend.extend(grant.id(), SHORT, cancelled()));
    LockInfo info = backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow();
    assertThat(info.expiresAt()).isEqualTo(grant.expiresAt());
  }

  @Test
  @Tag("check-59")
  void aCancelledIsLockedIsAborted() {
    assertAborted(() -> backend.isLocked(key("report"), cancelled()));
  }

  @Test
  @Tag("check-60")
  void aCancelledLookupIsAborted() {
    Grant grant = take("report");
    assertAborted(() -> backend.lookup(new LockQuery.ByKey(grant.key()), cancelled()));
    assertAborted(() -> backend.lookup(new LockQuery.ById(grant.id()), cancelled()));
    assertAborted(() -> backend.lookupRaw(new LockQuery.ByKey(grant.key()), cancelled()));
    assertAborted(() -> backend.lookupRaw(new LockQuery.ById(grant.id()), cancelled()));
  }

  @Test
  @Tag("check-61")
  void aCancellationThatNobodyUsesChangesNothing() {
    Cancellation unused = Cancellation.create();
    LockId id = newId();
    assertThat(backend.acquire(key("report"), id, LONG, unused))
        .isInstanceOf(AcquireResult.Acquired.class);
    assertThat(backend.isLocked(key("report"), unused)).isTrue();
    assertThat(backend.lookup(new LockQuery.ById(id), unused)).isPresent();
    backend.extend(id, LONG, unused);
    backend.release(id, unused);
    assertThat(backend.isLocked(key("report"), unused)).isFalse();
  }

  @Test
  @Tag("check-62")
  void cancellingInTheMiddleOfAnAcquireEndsItEitherWay() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "report " + round;
      LockId id = newId();
      Cancellation cancellation = Cancellation.create();
      List<Boolean> granted = Together.run(2, i -> {
        if (i == 0) {
          return acquires(key, id, cancellation);
        }
        cancellation.cancel();
        return false;
      });
      if (granted.get(0)) {
        assertThat(release(id)).isTrue();
        assertFree(key);
      } else {
        assertThat(isFreeAfterReleasing(id, key)).isTrue();
      }
    }
  }

  /**
   * Releases until the key is free. A request that was broken off may still be on its way, on a connection of its own, and
   * overtaken by a release; but once it has arrived, its id ends what it took.
   */
  private boolean isFreeAfterReleasing(LockId id, String key) throws InterruptedException {
    for (int round = 0; round < 1_000; round++) {
      release(id);
      if (attempt(key) instanceof AcquireResult.Acquired) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return false;
  }

  private boolean acquires(String key, LockId id, Cancellation cancellation) {
    try {
      return backend.acquire(key(key), id, LONG, cancellation) instanceof AcquireResult.Acquired;
    } catch (LockException e) {
      assertThat(e.code()).isEqualTo(LockException.Code.ABORTED);
      return false;
    }
  }

  @Test
  @Tag("check-63")
  void oneCancellationEndsTheWorkOnSeveralLocks() {
    Cancellation shared = Cancellation.create();
    LockId a = newId();
    LockId b = newId();
    backend.acquire(key("a"), a, LONG, shared);
    backend.acquire(key("b"), b, LONG, shared);
    shared.cancel();
    assertAborted(() -> backend.acquire(key("c"), newId(), LONG, shared));
    assertAborted(() -> backend.extend(a, LONG, shared));
    assertAborted(() -> backend.release(a, shared));
    assertAborted(() -> backend.release(b, shared));
    assertThat(isLocked("a")).isTrue();
    assertThat(isLocked("b")).isTrue();
    assertThat(isLocked("c")).isFalse();
    assertThat(release(a)).isTrue();
    assertThat(release(b)).isTrue();
  }

  @Test
  void anInterruptedCallerGetsAnAnswerOrAbortedAndStaysInterrupted() {
    LockId id = newId();
    boolean granted;
    boolean stillInterrupted;
    Thread.currentThread().interrupt();
    try {
      granted = acquires("report", id, NEVER);
    } finally {
      stillInterrupted = Thread.interrupted();
    }
    assertThat(stillInterrupted).as("the interrupt flag afterwards").isTrue();
    assertThat(release(id) || !granted).isTrue();
    assertFree("report");
  }

  private static Cancellation cancelled() {
    Cancellation cancellation = Cancellation.create();
    cancellation.cancel();
    return cancellation;
  }

  private static void assertAborted(Runnable call) {
    LockException refusal = assertRefused(LockException.Code.ABORTED, call);
    assertThat(refusal.isRetryable()).isFalse();
  }
}
