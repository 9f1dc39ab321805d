package dev.syncguard.torture;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.torture.history.Event.Abandoned;
import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Event.Releasing;
import dev.syncguard.torture.history.Event.Strayed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One thread that takes locks through the public API, holds them for a while, writes to the resource, and tells all of it.
 *
 * <p>What it does next is left to a seeded chance: most waits are patient, some only try; most leases are released in time, some
 * are renewed for longer than their ttl, and some are left to run out. What it promises itself, it reads from the lease.
 */
final class Worker implements Runnable {

  private static final Duration IMPATIENT = Duration.ofMillis(300);

  private final Task task;
  private final Locks locks;
  private final Locks elsewhere;
  private final Journal journal;
  private final Resource resource;
  private final Cancellation end;
  private final BooleanSupplier isEnding;
  private final Random random;
  private final Deque<Left> left = new ArrayDeque<>();
  private long attempt;

  /** A lease that was left to run out, which must not work any more from some time on. */
  private record Left(LockId id, String key, long attempt, long overAt) {}

  /** As {@code elsewhere} it uses other locks on the same store, which do not know its leases. */
  Worker(
      Task task,
      int thread,
      LockBackend backend,
      Locks locks,
      Journal journal,
      Resource resource,
      Cancellation end,
      BooleanSupplier isEnding) {
    this.task = task;
    this.locks = locks;
    this.elsewhere = Locks.over(backend);
    this.journal = journal;
    this.resource = resource;
    this.end = end;
    this.isEnding = isEnding;
    this.random = new Random(task.seed() * 31 + thread);
    this.attempt = task.attemptsFrom(thread);
  }

  @Override
  public void run() {
    while (!isEnding.getAsBoolean()) {
      try {
        takeOnce();
      } catch (LockException e) {
        // Told where it happened. The store may be away: let it come back.
        pause(20 + random.nextInt(100));
      } catch (RuntimeException e) {
        // No backend may throw this.
        String key = task.keys().get(0);
        long now = System.nanoTime();
        journal.note(new Refused(task.worker(), key, attempt, now, now, "Internal"));
        pause(100);
      }
    }
    if (!task.leavesItsLocks()) {
      giveBackWhatWasLeft();
    }
    elsewhere.close();
  }

  /** Whoever ends in peace closes its locks, which ends also the leases that were left to run out. */
  private void giveBackWhatWasLeft() {
    long now = System.nanoTime();
    left.forEach(
        lease -> journal.note(new Releasing(task.worker(), lease.key, lease.attempt, now)));
  }

  private void takeOnce() {
    Left oldest = left.peekFirst();
    if (oldest != null && oldest.overAt < System.nanoTime()) {
      left.removeFirst();
      stray(oldest.id, oldest.key, oldest.attempt);
    }
    attempt++;
    String key = task.keys().get(random.nextInt(task.keys().size()));
    boolean waits = random.nextInt(8) != 0;
    boolean isLong = random.nextInt(60) == 0;
    // Patient waiters find keys that are stuck; but if all were patient, one lease would stop them
    // all.
    Duration patience = random.nextInt(3) == 0 ? task.ttl().multipliedBy(6) : IMPATIENT;
    LockRequest request = locks.lock(key).ttl(task.ttl()).cancelWith(end).waitUpTo(patience);
    // Others have to expect that it stays for longer than its ttl.
    LockRequest chosen = isLong ? request.autoExtend(task.ttl().multipliedBy(4)) : request;
    long sent = System.nanoTime();
    journal.note(new Asked(task.worker(), key, attempt, sent, waits));
    Optional<Lease> lease;
    try {
      lease = waits ? Optional.of(chosen.acquire()) : chosen.tryAcquire();
    } catch (LockException e) {
      String why = isEnding.getAsBoolean() ? "Aborted" : e.code().specName();
      journal.note(new Refused(task.worker(), key, attempt, sent, System.nanoTime(), why));
      throw e;
    }
    if (lease.isEmpty()) {
      journal.note(new Refused(task.worker(), key, attempt, sent, System.nanoTime(), Refused.HELD));
      look(key);
      pause(1 + random.nextInt(20));
      return;
    }
    long fence = lease.get().fence().value();
    journal.note(new Granted(task.worker(), key, attempt, sent, System.nanoTime(), fence));
    hold(lease.get(), key, isLong);
  }

  private void hold(Lease lease, String key, boolean isLong) {
    // Twice the ttl: beyond what a store keeps that only pretends to renew, and its tolerance.
    int steps = isLong ? 10 : 1 + random.nextInt(4);
    long pause = isLong ? task.ttl().toMillis() / 5 : random.nextInt(8);
    for (int step = 0; step < steps && !isEnding.getAsBoolean() && isSure(lease, key); step++) {
      boolean accepted =
          resource.write(task.worker(), key, attempt, lease.fence().value());
      if (!accepted) {
        break;
      }
      if (random.nextInt(4) == 0) {
        look(key);
      }
      if (!isLong && random.nextInt(6) == 0) {
        extend(lease, key);
      }
      pause(pause);
    }
    isSure(lease, key);
    boolean leaves = random.nextInt(100) == 0 || (task.leavesItsLocks() && isEnding.getAsBoolean());
    if (!isLong && leaves) {
      long at = System.nanoTime();
      journal.note(new Abandoned(task.worker(), key, attempt, at));
      left.add(new Left(lease.id(), key, attempt, at + task.ttl().plusSeconds(2).toNanos()));
      return;
    }
    release(lease, key);
    // Very late holders write once more, as if they knew nothing.
    if (random.nextInt(10) == 0) {
      resource.write(task.worker(), key, attempt, lease.fence().value());
    }
  }

  /** Tells how long the lease may be relied upon, and returns whether it may be at all. */
  private boolean isSure(Lease lease, String key) {
    long at = System.nanoTime();
    Duration left = lease.isHeld() ? lease.remaining() : Duration.ZERO;
    if (left.isZero()) {
      return false;
    }
    journal.note(new Promised(task.worker(), key, attempt, at, at + left.toNanos()));
    return true;
  }

  private void extend(Lease lease, String key) {
    try {
      lease.extend(task.ttl(), end);
      isSure(lease, key);
    } catch (LockException e) {
      // The lease goes on until the end that it knows.
    }
  }

  private void release(Lease lease, String key) {
    long sent = System.nanoTime();
    journal.note(new Releasing(task.worker(), key, attempt, sent));
    Ending ending = Ending.UNKNOWN;
    try {
      ending = lease.release() ? Ending.ENDED : Ending.ABSENT;
    } catch (LockException e) {
      // Tried again in the background.
    }
    journal.note(new Released(task.worker(), key, attempt, sent, System.nanoTime(), ending));
    if (ending == Ending.ENDED && random.nextInt(6) == 0) {
      stray(random.nextInt(3) == 0 ? LockId.random(random) : lease.id(), key, attempt);
    }
  }

  private void stray(LockId id, String key, long whose) {
    boolean prolongs = random.nextBoolean();
    long sent = System.nanoTime();
    try {
      boolean worked = prolongs
          ? elsewhere.extend(id.value(), task.ttl(), end) instanceof ExtendResult.Extended
          : elsewhere.release(id.value(), end) instanceof ReleaseResult.Released;
      journal.note(new Strayed(
          task.worker(),
          key,
          whose,
          sent,
          System.nanoTime(),
          prolongs ? "extend" : "release",
          worked));
    } catch (LockException e) {
      // No answer proves nothing.
    }
  }

  private void look(String key) {
    long sent = System.nanoTime();
    try {
      long seen = random.nextBoolean()
          ? elsewhere.isLocked(key, end) ? Looked.SOMEBODY : 0
          : elsewhere
              .getByKey(key, end)
              .map(LockInfo::fence)
              .map(f -> f.value())
              .orElse(0L);
      journal.note(new Looked(task.worker(), key, attempt, sent, System.nanoTime(), seen));
    } catch (LockException e) {
      // No answer proves nothing.
    }
  }

  private void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
