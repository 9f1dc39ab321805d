package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls methods that return a future: without blocking the caller, and holding the lock until the future is complete.
 * Thread-safe.
 */
final class LockedFutures {

  // Whoever completes a future, perhaps an event loop, must not wait for the store.
  private final Executor releasing = new ThreadPoolExecutor(
      0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
        Thread thread = new Thread(work, "syncguard-locked-release");
        thread.setDaemon(true);
        return thread;
      });

  CompletableFuture<@Nullable Object> call(LockedCall call, Locks locks) {
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    CallerContext context = CallerContext.capture();
    CompletableFuture<?> asking = call.operation().acquireAsync(locks, call.key());
    CompletableFuture<?> unused = result.whenComplete((value, error) -> asking.cancel(true));
    CompletableFuture<?> unusedEither = asking.whenComplete((answer, error) -> {
      if (error != null) {
        refuse(result, call, call.operation().failure(error, call.key()));
        return;
      }
      Lease lease;
      try {
        lease = call.operation().granted(answer, call.key());
      } catch (LockBusyException e) {
        refuse(result, call, e);
        return;
      }
      context.run(() -> work(call, lease, result));
    });
    return result;
  }

  private void work(LockedCall call, Lease lease, CompletableFuture<@Nullable Object> result) {
    CompletionStage<?> stage;
    try {
      stage = (CompletionStage<?>) call.proceed(lease);
    } catch (Throwable e) {
      stage = CompletableFuture.failedFuture(e);
    }
    if (stage == null) {
      stage = CompletableFuture.completedFuture(null);
    }
    // Only a future can be cancelled; of another stage the end is awaited.
    if (stage instanceof CompletableFuture<?> working) {
      CompletableFuture<?> unused = result.whenComplete((value, error) -> {
        if (result.isCancelled()) {
          working.cancel(true);
        }
      });
    }
    CompletionStage<?> unusedEither = stage.whenCompleteAsync(
        (value, error) -> {
          lease.close();
          if (error != null) {
            result.completeExceptionally(error);
          } else {
            result.complete(value);
          }
        },
        releasing);
  }

  private static void refuse(
      CompletableFuture<@Nullable Object> result, LockedCall call, Throwable failure) {
    if (failure instanceof LockBusyException && call.isSkippedWhenBusy()) {
      result.complete(null);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
