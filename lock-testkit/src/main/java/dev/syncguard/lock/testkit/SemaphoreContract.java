package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Semaphore;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Never more holders than permits, a fence for each of them, and locks that stay for as long as was asked. */
public abstract class SemaphoreContract extends Contract {

  private static final Duration LONG_WAIT = Duration.ofMinutes(2);

  private final List<Locks> opened = new ArrayList<>();

  @AfterEach
  final void closeLocks() {
    opened.forEach(Locks::close);
  }

  private Locks over(LockBackend target) {
    Locks made = Locks.over(target);
    opened.add(made);
    return made;
  }

  private static Semaphore permits(Locks locks, int number) {
    return locks.semaphore("downloads", number).ttl(LONG.duration()).waitUpTo(LONG_WAIT);
  }

  @Test
  void thereAreAsManyHoldersAsPermitsAndNotOneMore() {
    Semaphore here = permits(over(backend), 2);
    Semaphore there = permits(over(open()), 2);
    Lease first = here.tryAcquire().orElseThrow();
    Lease second = there.tryAcquire().orElseThrow();
    assertThat(first.key()).isNotEqualTo(second.key());
    assertThat(here.tryAcquire()).isEmpty();
    assertThat(there.tryAcquire()).isEmpty();
    assertRefused(
        LockException.Code.ACQUISITION_TIMEOUT,
        () -> there.waitUpTo(Duration.ofMillis(300)).acquire());
    first.close();
    Lease next = there.acquire();
    assertThat(next.key()).isEqualTo(first.key());
    assertThat(next.fence()).isGreaterThan(first.fence());
  }

  @Test
  void whoWaitsGetsWhicheverPermitComesFirst() throws Exception {
    Semaphore here = permits(over(backend), 3);
    List<Lease> held = List.of(here.acquire(), here.acquire(), here.acquire());
    CompletableFuture<Lease> waiting = permits(over(open()), 3).acquireAsync();
    held.get(1).close();
    Lease got = waiting.get(2, TimeUnit.MINUTES);
    assertThat(got.key()).isEqualTo(held.get(1).key());
    got.close();
    held.forEach(Lease::close);
    for (int number = 1; number <= 3; number++) {
      assertFreeAtLast("downloads#" + number);
    }
    assertFreeAtLast("downloads#next");
  }

  /** A wait for a permit that is not needed any more is tidied up in the background, long before any ttl is over. */
  private void assertFreeAtLast(String key) {
    over(open()).lock(key).waitUpTo(LONG_WAIT).acquire().close();
  }

  @Test
  void threadsAndProcessesNeverHoldMoreThanThePermits() throws Exception {
    List<Semaphore> processes = List.of(permits(over(backend), 2), permits(over(open()), 2));
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Map<LockKey, List<Fence>> fences = new ConcurrentHashMap<>();
    Together.run(4, i -> {
      for (int round = 0; round < 4; round++) {
        processes.get(i % 2).run(lease -> {
          most.accumulateAndGet(holders.incrementAndGet(), Math::max);
          fences
              .computeIfAbsent(lease.key(), key -> new CopyOnWriteArrayList<>())
              .add(lease.fence());
          LockSupport.parkNanos(100_000);
          holders.decrementAndGet();
        });
      }
      return i;
    });
    assertThat(most.get()).as("most holders at once").isBetween(1, 2);
    assertThat(fences)
        .hasSizeLessThanOrEqualTo(2)
        .allSatisfy((permit, ofOne) -> assertThat(ofOne).doesNotHaveDuplicates().isSorted());
  }

  @Test
  void aLockStaysForAsLongAsWasAskedAlthoughItsHolderIsDone() {
    Duration atLeast = Duration.ofSeconds(20);
    Locks locks = over(backend);
    Lease lease = locks.lock("job").ttl(LONG.duration()).lockAtLeastFor(atLeast).acquire();
    assertThat(lease.release()).isTrue();
    assertThat(lease.isHeld()).isFalse();
    assertThat(over(open()).lock("job").tryAcquire()).isEmpty();
    assertThat(locks.getByKey("job").orElseThrow().remaining())
        .isBetween(Duration.ofMillis(1), atLeast);
  }

  @Test
  void aLockThatStayedForAsLongAsWasAskedIsFreeThen() {
    Locks locks = over(backend);
    Duration atLeast = Duration.ofMillis(500);
    locks.lock("job").ttl(LONG.duration()).lockAtLeastFor(atLeast).acquire().close();
    pass(atLeast.plusMillis(1_100));
    assertFree("job");
  }
}
