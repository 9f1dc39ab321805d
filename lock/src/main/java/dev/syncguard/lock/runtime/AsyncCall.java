package dev.syncguard.lock.runtime;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Cancellation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Turns a blocking call into a future that can be cancelled without leaving anything behind. */
public final class AsyncCall {

  private AsyncCall() {}

  /** Runs the call in the background. A result that comes after the future was cancelled is discarded. */
  public static <T> CompletableFuture<T> start(
      Background background,
      Cancellation outer,
      Function<Cancellation, T> call,
      Consumer<T> discard) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Cancellation inner = Cancellation.create();
    Cancellation.Registration link = outer.onCancel(inner::cancel);
    CompletableFuture<T> unused = future.whenComplete((result, error) -> {
      link.close();
      // Cancelled, or out of time: whoever asked does not wait any more.
      if (error != null) {
        inner.cancel();
      }
    });
    try {
      background.after(Duration.ZERO, () -> {
        try {
          T result = call.apply(inner);
          if (!future.complete(result)) {
            discard.accept(result);
          }
        } catch (Throwable e) {
          future.completeExceptionally(e);
        }
      });
    } catch (RuntimeException | Error e) {
      future.completeExceptionally(LockErrors.noBackground(e));
    }
    return future;
  }
}
