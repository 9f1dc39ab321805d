package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A method whose result comes later holds its lock until then, and nobody blocks meanwhile. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LockedAsyncTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  static class Reports {
    @Locked(name = "report", waitUpTo = "1m")
    public CompletableFuture<String> future(CompletableFuture<String> result) {
      CurrentLease.require();
      return result;
    }

    @Locked(name = "report", waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
    public CompletionStage<String> skippedStage() {
      return CompletableFuture.completedStage("done");
    }

    @Locked(name = "report")
    public CompletionStage<String> foreign(CompletionStage<String> stage) {
      return stage;
    }

    @Locked(name = "report", waitUpTo = "0s")
    public CompletableFuture<String> impatient() {
      return CompletableFuture.completedFuture("done");
    }

    @Locked(name = "report")
    public CompletableFuture<String> failing() {
      throw new IllegalArgumentException("before there was a future");
    }

    @Locked(name = "report", waitUpTo = "1m")
    public Mono<String> mono(Mono<String> result) {
      CurrentLease.require();
      return result;
    }

    @Locked(name = "report", waitUpTo = "1m")
    public Mono<Long> fenceInReactorContext() {
      return Mono.deferContextual(context ->
          Mono.just(context.<Lease>get(CurrentLease.CONTEXT_KEY).fence().value()));
    }

    @Locked(name = "report", waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
    public Mono<String> skippedMono() {
      return Mono.just("done");
    }

    @Locked(name = "report", waitUpTo = "0s")
    public Mono<String> impatientMono() {
      return Mono.just("done");
    }

    @Locked(name = "report")
    public Flux<Integer> flux(Flux<Integer> result) {
      return result;
    }

    @Locked(name = "report")
    public long elsewhere(ExecutorService executor) throws Exception {
      return executor.submit(() -> CurrentLease.fence().value()).get();
    }

    @Locked(name = "report")
    public boolean isKnownTo(SimpleAsyncTaskExecutor executor) throws Exception {
      Lease lease = CurrentLease.require();
      return executor
          .submit(() -> CurrentLease.get().filter(lease::equals).isPresent())
          .get();
    }
  }

  private static void run(BiConsumer<Reports, Locks> test) {
    Applications.inMemory().withBean(Reports.class).run(application -> {
      assertThat(application).hasNotFailed();
      test.accept(application.getBean(Reports.class), application.getBean(Locks.class));
    });
  }

  @Test
  void aFutureHoldsTheLockUntilItIsComplete() {
    run((reports, locks) -> {
      CompletableFuture<String> result = new CompletableFuture<>();
      CompletableFuture<String> returned = reports.future(result);
      Eventually.holds(() -> locks.isLocked("report"));
      result.complete("done");
      assertThat(returned.join()).isEqualTo("done");
      assertThat(locks.isLocked("report")).isFalse();
    });
  }

  @Test
  void aFutureThatFailsReleasesTheLock() {
    run((reports, locks) -> {
      CompletableFuture<String> returned =
          reports.future(CompletableFuture.failedFuture(new IllegalStateException("no paper")));
      assertThatThrownBy(returned::join)
          .isInstanceOf(CompletionException.class)
          .hasRootCauseMessage("no paper");
      assertThat(locks.isLocked("report")).isFalse();
      assertThatThrownBy(() -> reports.failing().join())
          .hasRootCauseMessage("before there was a future");
      assertThat(locks.isLocked("report")).isFalse();
    });
  }

  @Test
  void whoWaitsForAFuturesLockDoesNotBlock() {
    run((reports, locks) -> {
      CompletableFuture<String> returned;
      try (Lease other = locks.lock("report").acquire()) {
        // Returns, although the lock is taken and would be waited for.
        returned = reports.future(CompletableFuture.completedFuture("done"));
        assertThat(returned).isNotDone();
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(returned.join()).isEqualTo("done");
    });
  }

  @Test
  void aBusyFutureFailsOrIsSkipped() {
    run((reports, locks) -> {
      try (Lease other = locks.lock("report").acquire()) {
        assertThat(reports.skippedStage().toCompletableFuture().join()).isNull();
        assertThatThrownBy(() -> reports.impatient().join())
            .hasRootCauseInstanceOf(LockBusyException.class);
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(reports.impatient().join()).isEqualTo("done");
    });
  }

  /** A stage need not be able to become a future, says its contract. */
  @Test
  void aStageThatIsNoFutureIsServedAsWell() {
    class Foreign extends CompletableFuture<String> {
      @Override
      public CompletableFuture<String> toCompletableFuture() {
        throw new UnsupportedOperationException();
      }
    }
    run((reports, locks) -> {
      Foreign stage = new Foreign();
      CompletionStage<String> returned = reports.foreign(stage);
      Eventually.holds(() -> locks.isLocked("report"));
      stage.complete("done");
      assertThat(returned.toCompletableFuture()).succeedsWithin(LONG).isEqualTo("done");
      assertThat(locks.isLocked("report")).isFalse();
    });
  }

  @Test
  void cancellingAFutureEndsTheWaitAndLeavesNothingBehind() {
    run((reports, locks) -> {
      CompletableFuture<String> result = new CompletableFuture<>();
      CompletableFuture<String> returned;
      try (Lease other = locks.lock("report").acquire()) {
        returned = reports.future(result);
        returned.cancel(true);
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(locks.lock("report").waitUpTo(LONG).acquire().release()).isTrue();
      CompletableFuture<String> begun = reports.future(result);
      // Not only locked: the method was called, and what it returned is waited for.
      Eventually.holds(() -> result.getNumberOfDependents() > 0);
      begun.cancel(true);
      assertThat(result).isCancelled();
      Eventually.holds(() -> !locks.isLocked("report"));
    });
  }

  @Test
  void aMonoHoldsTheLockWhileItIsSubscribedAndForEachSubscriberAnew() {
    run((reports, locks) -> {
      Sinks.One<String> result = Sinks.one();
      Mono<String> mono = reports.mono(result.asMono());
      assertThat(locks.isLocked("report")).as("nobody has subscribed").isFalse();
      CompletableFuture<String> first = mono.toFuture();
      Eventually.holds(() -> locks.isLocked("report"));
      CompletableFuture<String> second = mono.toFuture();
      result.tryEmitValue("done").orThrow();
      assertThat(first.join()).isEqualTo("done");
      assertThat(second.join()).isEqualTo("done");
      assertThat(locks.isLocked("report")).isFalse();
      assertThat(reports.fenceInReactorContext().block()).isEqualTo(3);
    });
  }

  @Test
  void aBusyMonoFailsOrIsEmpty() {
    run((reports, locks) -> {
      try (Lease other = locks.lock("report").acquire()) {
        assertThat(reports.skippedMono().block(LONG)).isNull();
        assertThatThrownBy(() -> reports.impatientMono().block(LONG))
            .isInstanceOf(LockBusyException.class);
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(reports.skippedMono().block(LONG)).isEqualTo("done");
    });
  }

  @Test
  void cancellingAMonoReleasesTheLock() {
    run((reports, locks) -> {
      Disposable waiting;
      try (Lease other = locks.lock("report").acquire()) {
        waiting = reports.mono(Mono.never()).subscribe();
        waiting.dispose();
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(locks.lock("report").waitUpTo(LONG).acquire().release()).isTrue();
      Disposable begun = reports.mono(Mono.never()).subscribe();
      Eventually.holds(() -> locks.isLocked("report"));
      begun.dispose();
      Eventually.holds(() -> !locks.isLocked("report"));
    });
  }

  @Test
  void aFluxHoldsTheLockUntilItsEnd() {
    run((reports, locks) -> {
      List<Boolean> locked = reports
          .flux(Flux.just(1, 2, 3))
          .map(number -> locks.isLocked("report"))
          .collectList()
          .block(LONG);
      assertThat(locked).containsExactly(true, true, true);
      assertThat(locks.isLocked("report")).isFalse();
    });
  }

  @Test
  void theCurrentLeaseFollowsTheWorkThroughExecutorsThatPropagateContext() {
    ExecutorService plain = Executors.newSingleThreadExecutor();
    try {
      ExecutorService propagating = ContextExecutorService.wrap(
          plain, () -> ContextSnapshotFactory.builder().build().captureAll());
      SimpleAsyncTaskExecutor spring = new SimpleAsyncTaskExecutor();
      run((reports, locks) -> {
        try {
          assertThat(reports.elsewhere(propagating)).isEqualTo(1);
          assertThat(reports.isKnownTo(spring)).as("without propagation").isFalse();
          spring.setTaskDecorator(new ContextPropagatingTaskDecorator());
          assertThat(reports.isKnownTo(spring)).isTrue();
          assertThat(plain.submit(CurrentLease::get).get()).as("nothing stays").isEmpty();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      });
    } finally {
      plain.shutdownNow();
    }
  }
}
