package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One {@link Locked} method: what its annotation asks for, checked when the bean is made. Immutable. */
record LockedOperation(
    Method method,
    KeySource key,
    Duration ttl,
    Duration waitUpTo,
    Optional<Duration> autoExtend,
    Duration atLeast,
    WhenBusy whenBusy,
    ReturnStyle style) {

  /** Computes the key of one call. */
  interface KeySource {
    LockKey of(Object target, @Nullable Object[] arguments);
  }

  /** Waits for the key and returns its lease, or throws {@link LockBusyException}. */
  Lease acquire(Locks locks, LockKey wanted) {
    try {
      return waitUpTo.isZero()
          ? request(locks, wanted).tryAcquire().orElseThrow(() -> busy(wanted, null))
          : request(locks, wanted).acquire();
    } catch (LockException e) {
      throw translated(e, wanted);
    }
  }

  /** Begins to wait; {@link #granted} understands what the future brings. Cancelling it leaves no lock behind. */
  CompletableFuture<?> acquireAsync(Locks locks, LockKey wanted) {
    return waitUpTo.isZero()
        ? request(locks, wanted).tryAcquireAsync()
        : request(locks, wanted).acquireAsync();
  }

  /** Returns the lease in what {@link #acquireAsync} brought, or throws {@link LockBusyException}. */
  Lease granted(Object answer, LockKey wanted) {
    if (answer instanceof Lease lease) {
      return lease;
    }
    return (Lease) ((Optional<?>) answer).orElseThrow(() -> busy(wanted, null));
  }

  /** Returns what to tell the caller about an error of {@link #acquireAsync}. */
  Throwable failure(Throwable error, LockKey wanted) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof LockException failed ? translated(failed, wanted) : cause;
  }

  private RuntimeException translated(LockException failed, LockKey wanted) {
    return failed.code() == LockException.Code.ACQUISITION_TIMEOUT ? busy(wanted, failed) : failed;
  }

  private LockBusyException busy(LockKey wanted, @Nullable LockException cause) {
    boolean ours = CurrentLease.get()
        .filter(lease -> lease.key().equals(wanted) && lease.isHeld())
        .isPresent();
    return new LockBusyException(
        this + " did not run: "
            + (ours
                ? "its caller holds the key already, and @Locked is not reentrant"
                : "somebody else holds the key " + wanted.hash()),
        wanted,
        cause);
  }

  private LockRequest request(Locks locks, LockKey wanted) {
    LockRequest request = locks.lock(wanted.value()).ttl(ttl).lockAtLeastFor(atLeast);
    if (!waitUpTo.isZero()) {
      request = request.waitUpTo(waitUpTo);
    }
    return autoExtend.isPresent() ? request.autoExtend(autoExtend.get()) : request;
  }

  /** Returns the arguments with the lease and its fence where the method wants them. */
  @Nullable
  Object[] fillIn(@Nullable Object[] arguments, Lease lease) {
    @Nullable Object[] filled = arguments.clone();
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (types[i] == Lease.class) {
        filled[i] = lease;
      } else if (types[i] == Fence.class) {
        filled[i] = lease.fence();
      }
    }
    return filled;
  }

  /** Names the method, for messages. */
  @Override
  public String toString() {
    return nameOf(method);
  }

  static String nameOf(Method method) {
    return "@Locked " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
