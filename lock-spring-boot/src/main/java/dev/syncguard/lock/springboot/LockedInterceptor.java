package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Holds the lock while a method runs, or until what it returned is complete. Thread-safe. */
final class LockedInterceptor implements MethodInterceptor {

  private static final System.Logger log = System.getLogger(LockedInterceptor.class.getName());
  private static final boolean TRANSACTIONS = ClassUtils.isPresent(
      "org.springframework.transaction.support.TransactionSynchronizationManager",
      LockedInterceptor.class.getClassLoader());

  private final LockedOperations operations;
  private final Supplier<Locks> locks;
  private final LockedFutures futures = new LockedFutures();
  private final Set<Method> warned = ConcurrentHashMap.newKeySet();

  LockedInterceptor(LockedOperations operations, Supplier<Locks> locks) {
    this.operations = operations;
    this.locks = locks;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = Objects.requireNonNull(invocation.getThis(), "A @Locked method needs a bean");
    Method method =
        AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target));
    LockedOperation operation = operations.of(method);
    LockKey key = operation.key().of(target, invocation.getArguments());
    LockedCall call = new LockedCall(operation, key, (ProxyMethodInvocation) invocation);
    return switch (operation.style()) {
      case BLOCKING -> block(call);
      case FUTURE -> futures.call(call.later(), locks.get());
      case MONO -> LockedPublishers.mono(call.later(), locks.get());
      case FLUX -> LockedPublishers.flux(call.later(), locks.get());
    };
  }

  private @Nullable Object block(LockedCall call) throws Throwable {
    warnInsideTransaction(call.operation());
    Lease lease;
    try {
      lease = call.operation().acquire(locks.get(), call.key());
    } catch (LockBusyException e) {
      if (call.isSkippedWhenBusy()) {
        return ReturnStyle.nothing(call.operation().method().getReturnType());
      }
      throw e;
    }
    try (lease) {
      return call.proceed(lease);
    }
  }

  /** A lock that is taken inside of a transaction is released before that commits, so the next holder sees old data. */
  private void warnInsideTransaction(LockedOperation operation) {
    if (TRANSACTIONS
        && TransactionSynchronizationManager.isActualTransactionActive()
        && warned.add(operation.method())) {
      log.log(
          System.Logger.Level.WARNING,
          () -> operation + " was called inside of a transaction, which will commit only after the"
              + " lock is released: the next holder may not see what this one wrote. Call it"
              + " outside, or put @Locked on the method that begins the transaction");
    }
  }
}
