package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock between processes as a {@link Lock}: it belongs to a thread, which may take it several times, and is renewed while
 * that thread holds it.
 *
 * <p>A lease can be lost, which a {@code Lock} cannot say. So taking it once more then fails, and the last {@link #unlock()}
 * throws {@link ConcurrentModificationException}; {@link #fence()} lets the protected resource notice at once. Thread-safe.
 */
public final class LeaseLock implements Lock {

  private static final System.Logger log = System.getLogger(LeaseLock.class.getName());
  private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofDays(365);

  private final Locks locks;
  private final LockKey key;
  private final Duration ttl;
  private final Duration maxHold;
  private final Time time;

  // Which thread of this process holds it, and how often. Guards the lease.
  private final ReentrantLock owner = new ReentrantLock();
  private @Nullable Lease lease;
  private volatile long lastUsed;

  LeaseLock(Locks locks, LockKey key, Duration ttl, Duration maxHold, Time time) {
    this.locks = locks;
    this.key = key;
    this.ttl = ttl;
    this.maxHold = maxHold;
    this.time = time;
    this.lastUsed = time.nanos();
  }

  /** Waits for the lock, however long it takes and whoever interrupts. */
  @Override
  public void lock() {
    lock(renewed());
  }

  /** As {@link #lock()}, but holds it for this time at most: it is not renewed, unless by {@link #renew}. */
  public void lock(Duration atMost) {
    lock(locks.lock(key.value()).ttl(atMost));
  }

  private void lock(LockRequest request) {
    owner.lock();
    enter(() -> uninterruptibly(request.waitUpTo(AS_LONG_AS_IT_TAKES)::acquire));
    requireHeld();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    owner.lockInterruptibly();
    enterInterruptibly(() -> renewed().waitUpTo(AS_LONG_AS_IT_TAKES).acquire());
    requireHeld();
  }

  @Override
  public boolean tryLock() {
    return owner.tryLock()
        && enter(() -> uninterruptibly(() -> renewed().tryAcquire().orElse(null)));
  }

  @Override
  public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
    return tryLock(renewed(), Duration.ofNanos(unit.toNanos(wait)));
  }

  /** As {@link #tryLock(long, TimeUnit)}, but holds it for this time at most: it is not renewed, unless by {@link #renew}. */
  public boolean tryLock(Duration wait, Duration atMost) throws InterruptedException {
    return tryLock(locks.lock(key.value()).ttl(atMost), wait);
  }

  private boolean tryLock(LockRequest request, Duration asked) throws InterruptedException {
    Duration wait = asked.compareTo(AS_LONG_AS_IT_TAKES) > 0 ? AS_LONG_AS_IT_TAKES : asked;
    long start = time.nanos();
    if (!owner.tryLock(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS)) {
      return false;
    }
    Duration left = wait.minusNanos(time.nanos() - start);
    return enterInterruptibly(() -> left.isNegative() || left.isZero()
        ? request.tryAcquire().orElse(null)
        : acquireWithin(request.waitUpTo(left)));
  }

  private static @Nullable Lease acquireWithin(LockRequest request) {
    try {
      return request.acquire();
    } catch (LockException e) {
      if (e.code() == LockException.Code.ACQUISITION_TIMEOUT) {
        return null;
      }
      throw e;
    }
  }

  private LockRequest renewed() {
    return locks.lock(key.value()).ttl(ttl).autoExtend(maxHold);
  }

  /** Takes a lease if this thread has none yet, and returns whether it has one now. Otherwise it does not own us either. */
  private boolean enter(Supplier<@Nullable Lease> acquiring) {
    boolean entered = false;
    try {
      if (owner.getHoldCount() == 1) {
        lease = acquiring.get();
      }
      entered = lease != null && lease.isHeld();
      return entered;
    } finally {
      lastUsed = time.nanos();
      if (!entered) {
        leave();
      }
    }
  }

  /** Gives up a hold. A lost lease stays with the holds that are left, whose unlock has to tell. */
  private void leave() {
    if (owner.getHoldCount() == 1 && lease != null) {
      lease.close();
      lease = null;
    }
    owner.unlock();
  }

  private boolean enterInterruptibly(Supplier<@Nullable Lease> acquiring)
      throws InterruptedException {
    try {
      return enter(acquiring);
    } catch (LockException e) {
      if (e.code() == LockException.Code.ABORTED && Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e;
    }
  }

  /** For those who do not ask whether they got it. */
  private void requireHeld() {
    Lease held = lease;
    if (!owner.isHeldByCurrentThread() || held == null || !held.isHeld()) {
      throw lost();
    }
  }

  private static @Nullable Lease uninterruptibly(Supplier<@Nullable Lease> acquiring) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return acquiring.get();
        } catch (LockException e) {
          if (e.code() != LockException.Code.ABORTED || !Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives it back, if this was the last hold; throws {@link ConcurrentModificationException} if it was lost before. */
  @Override
  public void unlock() {
    if (!owner.isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("This thread does not hold the lock");
    }
    Lease ended = lease;
    if (owner.getHoldCount() > 1 || ended == null) {
      owner.unlock();
      return;
    }
    lease = null;
    lastUsed = time.nanos();
    try {
      if (!released(ended)) {
        throw lost();
      }
    } finally {
      owner.unlock();
    }
  }

  private static boolean released(Lease ended) {
    try {
      return ended.release();
    } catch (LockException e) {
      log.log(
          System.Logger.Level.WARNING,
          () -> "A lock could not be released; it is tried again in the background: " + e);
      return true;
    }
  }

  private static ConcurrentModificationException lost() {
    return new ConcurrentModificationException("The lock was lost before it was unlocked: somebody"
        + " else may have held it meanwhile, so what it protects must be checked");
  }

  /** Lets the lock end this much later than now. It must be held by this thread. */
  public void renew(Duration atMost) {
    Lease held = lease;
    if (!owner.isHeldByCurrentThread() || held == null) {
      throw new IllegalMonitorStateException("This thread does not hold the lock");
    }
    if (!held.extend(atMost)) {
      throw new IllegalStateException("The lock was lost and cannot be renewed");
    }
  }

  /** Returns the fence, if this thread holds the lock. */
  public Optional<Fence> fence() {
    return owner.isHeldByCurrentThread()
        ? Optional.ofNullable(lease).map(Lease::fence)
        : Optional.empty();
  }

  boolean isUnusedFor(Duration age) {
    return !owner.isLocked()
        && !owner.hasQueuedThreads()
        && time.nanos() - lastUsed >= age.toNanos();
  }

  void isUsed() {
    lastUsed = time.nanos();
  }

  /** Not supported: a condition would have to wake threads of other processes. */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A distributed lock does not support conditions");
  }

  @Override
  public String toString() {
    return "LeaseLock[" + key.hash() + "]";
  }
}
