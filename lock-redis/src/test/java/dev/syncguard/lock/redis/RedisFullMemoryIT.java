package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server without memory: whoever holds a lock keeps it and gives it back, and nobody new gets one. */
class RedisFullMemoryIT extends OneServer {

  @AfterEach
  void makeRoom() {
    jedis.configSet("maxmemory", "0");
  }

  private void fill() {
    jedis.configSet("maxmemory", "1");
  }

  private WaitingLine.Place join(RedisLockBackend at, LockId id) {
    return at.waitingLine().orElseThrow().join(key("report"), id, () -> {});
  }

  /** Asserts that nobody was granted anything, by what the server keeps and not by what it says. */
  private void assertGrantsNobody(Supplier<AcquireResult> attempt) {
    Map<String, String> before = locks();
    LockException refusal = catchThrowableOfType(LockException.class, attempt::get);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("maxmemory");
    assertThat(locks()).isEqualTo(before);
  }

  private Map<String, String> locks() {
    return jedis.keys("syncguard*").stream()
        .filter(name -> !name.contains("\0"))
        .collect(Collectors.toMap(name -> name, name -> String.valueOf(jedis.get(name))));
  }

  @Test
  void whoeverHoldsALockMayExtendItAndGiveItBack() {
    LockId id = take(backend, "report", Ttl.ofMillis(60_000));
    fill();
    assertThat(backend.extend(id, LONG, NEVER)).isInstanceOf(ExtendResult.Extended.class);
    assertThat(jedis.pttl("syncguard:report")).isGreaterThan(500_000);
    assertThat(jedis.pttl("syncguard:id:" + id.value())).isGreaterThan(500_000);
    assertThat(isTaken("report", id)).as("its grant is repeated").isTrue();
    assertThat(release(id)).isTrue();
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:syncguard:report");
  }

  @Test
  void whoeverIsWaitedForMayGiveItsLockBackToo() {
    LockId id = take("report");
    try (WaitingLine.Place place = join(openPatient(), newId())) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      fill();
      assertThat(backend.extend(id, LONG, NEVER)).isInstanceOf(ExtendResult.Extended.class);
      assertThat(release(id)).isTrue();
    }
  }

  @Test
  void nobodyNewGetsALock() {
    release(take("report"));
    fill();
    assertGrantsNobody(() -> backend.acquire(key("report"), newId(), LONG, NEVER));
    try (WaitingLine.Place place = join(backend, newId())) {
      assertGrantsNobody(() -> place.attempt(LONG, NEVER));
    }
  }

  @Test
  void aWaiterInLineGetsNoneEither() {
    LockId holder = take("report");
    try (WaitingLine.Place waiter = join(backend, newId())) {
      assertThat(waiter.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      fill();
      // Its lease ends without a call, so the waiter finds a free lock.
      jedis.del("syncguard:report", "syncguard:id:" + holder.value());
      assertGrantsNobody(() -> waiter.attempt(LONG, NEVER));
      jedis.configSet("maxmemory", "0");
      assertThat(waiter.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
    }
    assertThat(jedis.exists("syncguard:report\0line")).isFalse();
  }

  @Test
  void aWaiterThatWasCalledGetsNoneEither() {
    LockId holder = take("report");
    try (WaitingLine.Place waiter = join(openPatient(), newId())) {
      assertThat(waiter.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      fill();
      assertThat(release(holder)).isTrue();
      assertGrantsNobody(() -> waiter.attempt(LONG, NEVER));
    }
  }

  @Test
  void nothingIsHandedOverInsideAProcess() {
    LockId holder = take("report");
    try (WaitingLine.Place heir = join(backend, newId())) {
      fill();
      assertGrantsNobody(() -> heir.takeOver(holder, LONG));
    }
    assertThat(release(holder)).isTrue();
  }

  @Test
  void aLockThatIsWantedInTheSameProcessIsGivenBackAndGrantedWhenThereIsRoom() {
    try (Locks locks = Locks.over(backend)) {
      Lease holder = locks.lock("report").acquire();
      CompletableFuture<Lease> next =
          locks.lock("report").waitUpTo(Duration.ofMinutes(2)).acquireAsync();
      while (!jedis.exists("syncguard:report\0line")) {
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
      fill();
      assertThat(holder.release()).isTrue();
      assertThat(locks.isLocked("report")).isFalse();
      jedis.configSet("maxmemory", "0");
      assertThat(next).succeedsWithin(Duration.ofMinutes(1));
    }
  }

  @Test
  void aTakenLockIsStillSaidToBeTaken() {
    take("report");
    LockId poller = newId();
    try (WaitingLine.Place place = join(backend, newId())) {
      assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      fill();
      assertThat(isTaken("report", poller)).isFalse();
      assertThat(isTaken("report", poller)).isFalse();
      assertThat(backend.isLocked(key("report"), NEVER)).isTrue();
    }
  }
}
