package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.testkit.faults.CallFault;
import dev.syncguard.lock.testkit.faults.FaultyBackend;
import dev.syncguard.lock.testkit.faults.PlannedFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * However long a request or a reply is under way, nobody is told to hold a lease that the store has ended.
 *
 * <p>Set {@code syncguard.stall.seed} to repeat the stalls of a failed run.
 */
public abstract class StallContract extends Contract {

  private static final Ttl TTL = Ttl.ofMillis(200);

  private final ManualTime manual = ManualTime.stopped();

  private boolean clockIsOurs() {
    return fixture() instanceof LockFixture.SettableClock;
  }

  private void stall(long millis) {
    pass(Duration.ofMillis(millis));
    manual.advance(Duration.ofMillis(millis));
  }

  @Test
  void aLeaseIsNeverBelievedInBeyondItsEnd() {
    long seed = Long.getLong("syncguard.stall.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    int rounds = clockIsOurs() ? 200 : 12;
    int believed = 0;
    for (int round = 0; round < rounds; round++) {
      try {
        believed += stalledRound("report " + round, random);
      } catch (AssertionError e) {
        throw new AssertionError(
            "Repeat with -Dsyncguard.stall.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    if (clockIsOurs()) {
      // A clock that nobody else moves leaves no doubt: short stalls must not cost a lease.
      assertThat(believed).as("leases that were held").isPositive();
    }
  }

  private int stalledRound(String key, SplittableRandom random) {
    CallFault when = random.nextBoolean() ? CallFault.DELAY_BEFORE : CallFault.DELAY_AFTER;
    int call = random.nextInt(2);
    long millis = random.nextLong(3 * TTL.millis());
    PlannedFault plan = PlannedFault.at(call, when, () -> stall(millis));
    Time time = clockIsOurs() ? manual : fixture().time();
    try (Locks locks =
        Locks.builder(new FaultyBackend(backend, plan)).time(time).build()) {
      Optional<Lease> lease = locks.lock(key).ttl(TTL.duration()).tryAcquire();
      int believed = lease.isPresent() && believedWithReason(lease.get()) ? 1 : 0;
      if (lease.isPresent() && lease.get().extend(TTL.duration())) {
        believedWithReason(lease.get());
      }
      lease.ifPresent(Lease::close);
      return believed;
    } catch (LockException e) {
      assertThat(e.isRetryable()).as("retryable: " + e.code()).isTrue();
      return 0;
    }
  }

  /** Returns whether the lease counts as held. The store's clock is read first: it only goes on from there. */
  private boolean believedWithReason(Lease lease) {
    Instant now = storeTime();
    Instant end = lease.expiresAt();
    Duration remaining = lease.remaining();
    if (remaining.isZero()) {
      return false;
    }
    assertThat(now).as("the store's time while the lease counts as held").isBefore(end);
    // A store counts in whole milliseconds, and the end of a lease has lost its fraction.
    assertThat(remaining).isLessThanOrEqualTo(Duration.between(now, end).plusMillis(1));
    return true;
  }
}
