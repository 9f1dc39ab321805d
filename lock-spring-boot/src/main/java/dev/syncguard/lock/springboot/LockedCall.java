package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockKey;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a {@link Locked} method. */
record LockedCall(LockedOperation operation, LockKey key, ProxyMethodInvocation invocation) {

  /** Runs the method with the lease as its current one, and returns what it returns. */
  @Nullable
  Object proceed(Lease lease) throws Throwable {
    invocation.setArguments(operation.fillIn(invocation.getArguments(), lease));
    try (CurrentLease.Scope scope = CurrentLease.enter(lease)) {
      return invocation.proceed();
    }
  }

  /** Returns the same call for a moment when this one has returned, or for another subscriber. */
  LockedCall later() {
    return new LockedCall(operation, key, (ProxyMethodInvocation) invocation.invocableClone());
  }

  boolean isSkippedWhenBusy() {
    return operation.whenBusy() == WhenBusy.SKIP;
  }
}
