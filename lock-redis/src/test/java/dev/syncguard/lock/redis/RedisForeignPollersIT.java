package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Waiters in line beside eager pollers of the TypeScript library, which knows no line. */
class RedisForeignPollersIT extends OneServer {

  private static final int EACH = 3;
  private static final int TURNS = 400;
  private static final Duration HOLD = Duration.ofMillis(2);
  private static final Duration POLL = Duration.ofMillis(3);

  @Test
  void neitherThoseInLineNorThosePollingStarve() throws Exception {
    AtomicInteger turns = new AtomicInteger();
    AtomicInteger inLine = new AtomicInteger();
    AtomicInteger polling = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(2 * EACH);
    List<Future<?>> all = new ArrayList<>();
    List<Locks> processes = new ArrayList<>();
    try {
      for (int i = 0; i < EACH; i++) {
        Locks locks = Locks.over(open(RedisLockBackend.builder(server.patient())));
        processes.add(locks);
        all.add(threads.submit(() -> {
          while (turns.get() < TURNS) {
            locks.lock("report").waitUpTo(Duration.ofMinutes(1)).run(lease -> {
              turns.incrementAndGet();
              inLine.incrementAndGet();
              RedisProcess.sleep(HOLD);
            });
          }
        }));
        all.add(threads.submit(() -> {
          try (Jedis connection = server.jedis()) {
            poll(new ForeignClient(connection), turns, polling);
          }
        }));
      }
      for (Future<?> each : all) {
        each.get(2, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
      processes.forEach(Locks::close);
    }
    int sum = inLine.get() + polling.get();
    assertThat(inLine.get()).as("in line, of " + sum).isGreaterThan(sum / 10);
    assertThat(polling.get()).as("polling, of " + sum).isGreaterThan(sum / 20);
  }

  private static void poll(ForeignClient client, AtomicInteger turns, AtomicInteger polling) {
    while (turns.get() < TURNS) {
      LockId id = newId();
      if (client.acquire("report", id, 30_000).isEmpty()) {
        RedisProcess.sleep(POLL);
      } else {
        turns.incrementAndGet();
        polling.incrementAndGet();
        RedisProcess.sleep(HOLD);
        client.release(id);
      }
    }
  }

  @Test
  void everyOtherReservationHoldsAgainstThem() {
    RedisLockBackend patient = openPatient();
    ForeignClient foreign = new ForeignClient(jedis);
    int kept = 0;
    for (int turn = 0; turn < 4; turn++) {
      LockId holder = take(patient, "report", LONG);
      try (WaitingLine.Place place =
          patient.waitingLine().orElseThrow().join(key("report"), newId(), () -> {})) {
        assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
        patient.release(holder, NEVER);
        assertThat(patient.isLocked(key("report"), NEVER)).isFalse();
        LockId theirs = newId();
        if (foreign.acquire("report", theirs, 60_000).isEmpty()) {
          kept++;
          assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Acquired.class);
          jedis.del("syncguard:report");
        } else {
          assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
          assertThat(place.patience())
              .as("a release of theirs calls nobody")
              .isLessThanOrEqualTo(Duration.ofMillis(250));
          foreign.release(theirs);
        }
      }
      // Fences rise by two each time, so shift the parity for the next turn.
      patient.release(take(patient, "report", LONG), NEVER);
    }
    assertThat(kept).isEqualTo(2);
  }
}
