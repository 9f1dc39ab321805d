package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.torture.proxy.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Those who wait hear when a lock is gone, and nobody listens for longer than that. */
class FirestoreLineIT extends OneFirestore {

  private static final long LONGEST_WAIT_SECONDS = 60;

  private static boolean isCalled(Semaphore calls) throws InterruptedException {
    return calls.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aListenerHearsThatALockIsGoneAndNotThatItIsExtended() throws Exception {
    LockId holder = take("report");
    Semaphore calls = new Semaphore(0);
    try (KeyListeners listeners = new KeyListeners(Time.system());
        KeyListeners.Subscription subscription =
            listeners.listen(lockDocument("report"), calls::release)) {
      Semaphore other = new Semaphore(0);
      listeners.listen(lockDocument("free"), other::release);
      assertThat(isCalled(other)).as("a key that is free already").isTrue();
      backend.extend(holder, Ttl.ofMillis(300_000), NEVER);
      assertThat(calls.availablePermits()).isZero();
      release(holder);
      assertThat(isCalled(calls)).isTrue();
      assertThat(subscription.isNotified()).isTrue();
    }
  }

  @Test
  void whoeverHasLeftIsNotCalled() throws Exception {
    LockId holder = take("report");
    Semaphore gone = new Semaphore(0);
    Semaphore here = new Semaphore(0);
    try (KeyListeners listeners = new KeyListeners(Time.system())) {
      KeyListeners.Subscription leaving = listeners.listen(lockDocument("report"), gone::release);
      listeners.listen(lockDocument("report"), here::release);
      leaving.close();
      release(holder);
      assertThat(isCalled(here)).isTrue();
      assertThat(gone.availablePermits()).isZero();
    }
  }

  @Test
  void aListenerWithoutWaitersGoesAwayByItself() {
    try (KeyListeners listeners = new KeyListeners(Time.system())) {
      listeners.listen(lockDocument("report"), () -> {}).close();
      assertThat(listeners.isOpen(lockDocument("report"))).isTrue();
      assertThat(await(() -> listeners.count() == 0)).isTrue();
    }
  }

  @Test
  void aClosedLineListensNoMore() {
    KeyListeners listeners = new KeyListeners(Time.system());
    KeyListeners.Subscription subscription = listeners.listen(lockDocument("report"), () -> {});
    listeners.close();
    assertThat(subscription.isNotified()).isFalse();
    assertThat(listeners.listen(lockDocument("report"), () -> {}).isNotified()).isFalse();
    assertThat(listeners.count()).isZero();
  }

  @Test
  void waitersSurviveTheLossOfTheirConnection() throws Exception {
    try (FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port())) {
      Firestore client = LocalFirestore.connect("127.0.0.1:" + proxy.port());
      try (FirestoreLockBackend far = FirestoreLockBackend.over(client);
          Locks theirs = Locks.over(far)) {
        LockId holder = take("report");
        CompletableFuture<Lease> waiting =
            theirs.lock("report").waitUpTo(Duration.ofMinutes(2)).acquireAsync();
        assertThat(await(() -> proxy.requests() > 2)).isTrue();
        proxy.cutAll();
        assertThat(release(holder)).isTrue();
        waiting.get(2, TimeUnit.MINUTES).close();
      } finally {
        client.shutdownNow();
      }
    }
    assertThat(backend.isLocked(key("report"), NEVER)).isFalse();
  }
}
