package dev.syncguard.lock.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first answer to a request that may be sent more than once. Thread-safe. */
final class FirstAnswer<T> {

  private final CompletableFuture<T> first = new CompletableFuture<>();
  private final Queue<ApiFuture<T>> sent = new ConcurrentLinkedQueue<>();

  void expect(ApiFuture<T> answer) {
    sent.add(answer);
    ApiFutures.addCallback(
        answer,
        new ApiFutureCallback<T>() {
          @Override
          public void onSuccess(T result) {
            first.complete(result);
          }

          @Override
          public void onFailure(Throwable error) {
            first.completeExceptionally(error);
          }
        },
        Runnable::run);
  }

  /** Waits, and returns whether there is an answer, of whatever kind. */
  boolean comesWithin(Duration patience) throws InterruptedException {
    try {
      first.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException | CancellationException e) {
      return true;
    }
  }

  T within(Duration patience) throws InterruptedException, ExecutionException, TimeoutException {
    return first.get(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Breaks off whatever is under way. */
  void cancel() {
    first.cancel(false);
    sent.forEach(answer -> answer.cancel(true));
  }
}
