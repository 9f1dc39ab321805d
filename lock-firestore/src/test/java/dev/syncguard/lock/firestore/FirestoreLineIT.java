package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.torture.proxy.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    try (KeyListeners listeners = new KeyListeners(Time.system(), 50);
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
    try (KeyListeners listeners = new KeyListeners(Time.system(), 50)) {
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
    try (KeyListeners listeners = new KeyListeners(Time.system(), 50)) {
      listeners.listen(lockDocument("report"), () -> {}).close();
      assertThat(listeners.isOpen(lockDocument("report"))).isTrue();
      assertThat(await(() -> listeners.count() == 0)).isTrue();
    }
  }

  @Test
  void aClosedLineListensNoMore() {
    KeyListeners listeners = new KeyListeners(Time.system(), 50);
    KeyListeners.Subscription subscription = listeners.listen(lockDocument("report"), () -> {});
    listeners.close();
    assertThat(subscription.isNotified()).isFalse();
    assertThat(listeners.listen(lockDocument("report"), () -> {}).isNotified()).isFalse();
    assertThat(listeners.count()).isZero();
  }

  @Test
  void whereThereIsNoRoomAListenerThatNobodyNeedsGoesFirst() {
    try (KeyListeners listeners = new KeyListeners(Time.system(), 2)) {
      KeyListeners.Subscription first = listeners.listen(lockDocument("first"), () -> {});
      KeyListeners.Subscription second = listeners.listen(lockDocument("second"), () -> {});
      KeyListeners.Subscription third = listeners.listen(lockDocument("third"), () -> {});
      assertThat(List.of(first.isNotified(), second.isNotified(), third.isNotified()))
          .containsExactly(true, true, false);
      assertThat(third.patience()).isLessThan(first.patience());
      second.close();
      assertThat(listeners.listen(lockDocument("third"), () -> {}).isNotified()).isTrue();
      assertThat(listeners.isOpen(lockDocument("second"))).isFalse();
    }
  }

  @Test
  void moreWaitersThanAConnectionHasStreamsStopNobody() throws Exception {
    int keys = 120;
    List<LockId> held = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      held.add(take("key-" + i));
    }
    Firestore client = LocalFirestore.connect("127.0.0.1:" + server.port());
    ExecutorService threads = Executors.newFixedThreadPool(keys);
    try (FirestoreLockBackend theirs = FirestoreLockBackend.over(client);
        Locks locks = Locks.over(theirs)) {
      Lease own = locks.lock("own").ttl(Duration.ofMinutes(10)).acquire();
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        LockRequest request = locks.lock("key-" + i).waitUpTo(Duration.ofMinutes(10));
        waiting.add(threads.submit(() -> request.acquire().close()));
      }
      assertThat(await(() -> locks.waiters().size() == keys)).isTrue();
      for (int i = 0; i < 20; i++) {
        assertThat(own.extend(Duration.ofMinutes(10))).isTrue();
        TimeUnit.MILLISECONDS.sleep(50);
      }
      held.forEach(this::release);
      for (Future<?> served : waiting) {
        served.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
      client.shutdownNow();
    }
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
