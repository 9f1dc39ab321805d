package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.history.Confirmed;
import dev.syncguard.lock.testkit.history.HistoryChecker;
import dev.syncguard.lock.testkit.history.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Under load, too, a key has one holder at a time, fences only grow, and every lease ends at most once.
 *
 * <p>Several threads on several backends take keys for short times, pause at random, forget to release, extend and
 * release too late. {@link HistoryChecker} judges what they saw. Set {@code syncguard.load.seed} to repeat the choices of
 * a failed run, and {@code syncguard.load.grants} for a longer one.
 */
public abstract class LoadContract extends Contract {

  private static final int THREADS = 6;
  private static final List<String> KEYS = List.of("red", "green", "blue");
  private static final int MOST_ATTEMPTS_PER_GRANT = 2_000;

  private final Queue<Confirmed> history = new ConcurrentLinkedQueue<>();
  private final AtomicInteger grantsLeft =
      new AtomicInteger(Integer.getInteger("syncguard.load.grants", 400));
  private final AtomicInteger attemptsLeft =
      new AtomicInteger(grantsLeft.get() * MOST_ATTEMPTS_PER_GRANT);

  @Test
  void noHolderIsEverDisturbed() throws Exception {
    long seed = Long.getLong("syncguard.load.seed", System.nanoTime());
    try {
      List<LockBackend> backends = List.of(backend, open(), open());
      Together.run(THREADS, i -> {
        new Worker(backends.get(i % backends.size()), new SplittableRandom(seed + i)).work();
        return i;
      });
      assertThat(HistoryChecker.violations(history)).isEmpty();
      assertThat(attemptsLeft).as("attempts left: the load must not get stuck").hasPositiveValue();
      passBeyond(Ttl.ofMillis(500));
      KEYS.forEach(this::assertFree);
    } catch (AssertionError e) {
      throw new AssertionError(
          "Repeat with -Dsyncguard.load.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  private final class Worker {
    private final LockBackend mine;
    private final SplittableRandom random;

    Worker(LockBackend mine, SplittableRandom random) {
      this.mine = mine;
      this.random = random;
    }

    void work() {
      while (grantsLeft.get() > 0 && attemptsLeft.decrementAndGet() > 0) {
        LockKey key = key(KEYS.get(random.nextInt(KEYS.size())));
        Ttl ttl = Ttl.ofMillis(random.nextLong(80, 500));
        LockId id = newId();
        if (acquired(key, id, ttl)) {
          grantsLeft.decrementAndGet();
          use(id, ttl);
        } else {
          pause(8);
        }
      }
    }

    private void use(LockId id, Ttl ttl) {
      int fate = random.nextInt(100);
      pause(2);
      if (fate < 2) {
        return; // forgotten: the lease ends by itself
      }
      if (fate < 4) {
        // paused for longer than the lease lasts, as by a garbage collection
        pass(ttl.duration().plusMillis(Liveness.TIME_TOLERANCE_MS + random.nextLong(-200, 200)));
      }
      if (fate % 3 == 0) {
        extend(id, Ttl.ofMillis(random.nextLong(80, 500)));
        pause(2);
      }
      release(id);
      if (fate % 5 == 0) {
        release(id);
        extend(id, ttl);
      }
    }

    private boolean acquired(LockKey key, LockId id, Ttl ttl) {
      Span.Timed<AcquireResult> timed = Span.around(() -> mine.acquire(key, id, ttl, NEVER));
      if (timed.answer() instanceof AcquireResult.Acquired ok) {
        history.add(new Confirmed.Granted(key, id, ok.fence(), ttl, ok.expiresAt(), timed.span()));
        return true;
      }
      return false;
    }

    private void extend(LockId id, Ttl ttl) {
      Span.Timed<ExtendResult> timed = Span.around(() -> mine.extend(id, ttl, NEVER));
      if (timed.answer() instanceof ExtendResult.Extended ok) {
        history.add(new Confirmed.Extended(id, ttl, ok.expiresAt(), timed.span()));
      }
    }

    private void release(LockId id) {
      Span.Timed<ReleaseResult> timed = Span.around(() -> mine.release(id, NEVER));
      if (timed.answer() instanceof ReleaseResult.Released) {
        history.add(new Confirmed.Released(id, timed.span()));
      }
    }

    private void pause(int mostMillis) {
      if (random.nextInt(4) == 0) {
        pass(Duration.ofMillis(random.nextLong(mostMillis + 1L)));
      }
    }
  }

  @Test
  void extensionsThatRaceWithTheEndNeverMeetAnotherHolder() throws Exception {
    List<LockBackend> backends = List.of(backend, open());
    for (int round = 0; round < 3; round++) {
      String key = "race " + round;
      Grant grant = take(key, SHORT);
      pass(SHORT.duration().plusMillis(Liveness.TIME_TOLERANCE_MS - 5));
      List<Boolean> wins = Together.run(4, i -> {
        boolean won = false;
        for (int attempt = 0; attempt < 50 && !won; attempt++) {
          won = i == 0
              ? backends.get(0).extend(grant.id(), LONG, NEVER) instanceof ExtendResult.Extended
              : backends.get(1).acquire(key(key), newId(), LONG, NEVER)
                  instanceof AcquireResult.Acquired;
          if (!won) {
            pass(Duration.ofMillis(1));
          }
        }
        return won;
      });
      assertThat(new ArrayList<>(wins)).filteredOn(won -> won).as("winners").hasSize(1);
    }
  }
}
