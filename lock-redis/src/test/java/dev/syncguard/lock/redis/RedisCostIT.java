package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What the server has to do for us, by its own counters. */
class RedisCostIT extends OneServer {

  private static final int PAIRS = 500;

  @Test
  void aPairOfAcquireAndReleaseIsTwoRoundTripsAndElevenCommands() {
    assertCost(11, () -> release(take("payment:42")));
  }

  @Test
  void aPairOfALeaseIsNineCommandsAndWaitingCostsNothingAsLongAsNobodyWaits() {
    try (Locks locks = Locks.over(backend)) {
      assertCost(9, () -> locks.lock("payment:42").run(lease -> {}));
    }
    assertThat(jedis.clientList()).as("subscriptions").doesNotContain("cmd=subscribe");
  }

  private void assertCost(long mostCommands, Runnable pair) {
    pair.run();
    long reads = stat("stats", "total_reads_processed");
    long bytes = stat("stats", "total_net_input_bytes");
    long commands = calls("");
    for (int i = 0; i < PAIRS; i++) {
      pair.run();
    }
    // Our own question is one more command, one more read, and some bytes.
    assertThat(calls("") - commands).as("commands").isLessThanOrEqualTo(mostCommands * PAIRS + 4);
    assertThat(stat("stats", "total_reads_processed") - reads)
        .as("reads")
        .isBetween(2L * PAIRS, 2L * PAIRS + 4);
    assertThat(stat("stats", "total_net_input_bytes") - bytes)
        .as("bytes")
        .isLessThanOrEqualTo(450L * PAIRS + 200);
  }

  @Test
  void aHandOffBetweenProcessesIsThreeReadsAndEverybodyGetsTheSameShare() throws Exception {
    int processes = 8;
    int wanted = 400;
    AtomicInteger handOffs = new AtomicInteger();
    AtomicInteger last = new AtomicInteger(-1);
    AtomicIntegerArray shares = new AtomicIntegerArray(processes);
    CyclicBarrier start = new CyclicBarrier(processes);
    List<Locks> all = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      all.add(Locks.over(open(RedisLockBackend.builder(server.patient()))));
    }
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    long reads = stat("stats", "total_reads_processed");
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < processes; i++) {
        int me = i;
        done.add(threads.submit(() -> {
          start.await();
          while (handOffs.get() < wanted) {
            all.get(me).lock("hot").waitUpTo(Duration.ofMinutes(2)).run(lease -> {
              shares.incrementAndGet(me);
              if (last.getAndSet(me) != me) {
                handOffs.incrementAndGet();
              }
              // Long enough for the others to arrive.
              LockSupport.parkNanos(1_000_000);
            });
          }
          return null;
        }));
      }
      for (Future<?> each : done) {
        each.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
      all.forEach(Locks::close);
    }
    double readsEach = (stat("stats", "total_reads_processed") - reads) / (double) handOffs.get();
    // Starting up costs something, and so does a machine that is so slow that calls lapse.
    assertThat(readsEach).isLessThanOrEqualTo(3.5);
    assertThat(fairness(shares)).isGreaterThan(0.95);
    assertThat(jedis.keys("*")).containsExactly("syncguard:fence:syncguard:hot");
  }

  /** Jain's index: 1 if all have the same share, 1/n if one has everything. */
  private static double fairness(AtomicIntegerArray shares) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < shares.length(); i++) {
      sum += shares.get(i);
      squares += (double) shares.get(i) * shares.get(i);
    }
    return sum * sum / (shares.length() * squares);
  }

  @Test
  void aHeldLockTakesLittleRoom() {
    // A power of two, so that the tables of the server are not caught half empty.
    int locks = 1 << 13;
    long before = stat("memory", "used_memory");
    List<LockId> held = new ArrayList<>();
    for (int i = 0; i < locks; i++) {
      held.add(take("payment:" + i));
    }
    long each = (stat("memory", "used_memory") - before) / locks;
    assertThat(each).as("bytes per lock").isLessThanOrEqualTo(600);
    held.forEach(this::release);
  }
}
