package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Calls methods that return a publisher: each subscriber takes the lock, and gives it back when it gets no more. Loaded only
 * where Reactor is. Thread-safe.
 */
final class LockedPublishers {

  private LockedPublishers() {}

  static Mono<Object> mono(LockedCall call, Locks locks) {
    return Mono.usingWhen(
        lease(call, locks),
        lease -> Mono.from(work(call.later(), lease))
            .contextWrite(context -> context.put(CurrentLease.CONTEXT_KEY, lease)),
        LockedPublishers::release);
  }

  static Flux<Object> flux(LockedCall call, Locks locks) {
    return Flux.usingWhen(
        lease(call, locks),
        lease -> Flux.from(work(call.later(), lease))
            .contextWrite(context -> context.put(CurrentLease.CONTEXT_KEY, lease)),
        LockedPublishers::release);
  }

  /** Takes the lock; empty, and with it all that depends on it, if the call is to be skipped. */
  @SuppressWarnings("unchecked") // Only mapped, to be cancelled as the very future that it is.
  private static Mono<Lease> lease(LockedCall call, Locks locks) {
    LockedOperation operation = call.operation();
    Mono<Lease> lease = Mono.fromFuture(
            () -> (CompletableFuture<Object>) operation.acquireAsync(locks, call.key()))
        .map(answer -> operation.granted(answer, call.key()))
        .onErrorMap(error -> operation.failure(error, call.key()))
        // Granted in the very moment in which the subscriber cancelled.
        .doOnDiscard(Lease.class, Lease::close)
        .doOnDiscard(Optional.class, unused -> unused.ifPresent(held -> ((Lease) held).close()));
    return call.isSkippedWhenBusy()
        ? lease.onErrorResume(LockBusyException.class, refusal -> Mono.empty())
        : lease;
  }

  /** Reactor must not wait for the store. */
  private static Mono<Void> release(Lease lease) {
    return Mono.<Void>fromRunnable(lease::close).subscribeOn(Schedulers.boundedElastic());
  }

  @SuppressWarnings("unchecked") // What the method publishes is the business of its caller.
  private static Publisher<Object> work(LockedCall call, Lease lease) {
    try {
      @Nullable Object returned = call.proceed(lease);
      return returned == null ? Mono.empty() : (Publisher<Object>) returned;
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
