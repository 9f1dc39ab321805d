package dev.syncguard.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.lock.Cancellation;
import java.lang.ref.WeakReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CallInFlightTest {

  private final Cancellation cancellation = Cancellation.create();
  private final AtomicInteger broken = new AtomicInteger();

  @Test
  void whoeverCancelsBreaksTheConnection() {
    try (CallInFlight call = CallInFlight.begin(cancellation, broken::incrementAndGet)) {
      assertThat(call).isNotNull();
      assertThat(broken).hasValue(0);
      cancellation.cancel();
      assertThat(broken).hasValue(1);
    }
  }

  @Test
  void aConnectionIsNotBrokenUnderItsNextUser() {
    CallInFlight.begin(cancellation, broken::incrementAndGet).close();
    cancellation.cancel();
    assertThat(broken).hasValue(0);
  }

  @Test
  void aCancellationThatServesManyCallsKeepsNoneThatIsOver() {
    WeakReference<Object> connection = callOnConnection();
    for (int i = 0; i < 100 && connection.get() != null; i++) {
      System.gc();
    }
    assertThat(connection.get()).isNull();
    assertThat(cancellation.isCancelled()).isFalse();
  }

  private WeakReference<Object> callOnConnection() {
    Object connection = new Object();
    CallInFlight.begin(cancellation, connection::notifyAll).close();
    return new WeakReference<>(connection);
  }

  @Test
  void aCallThatEndsWaitsUntilItsConnectionIsBroken() throws Exception {
    CountDownLatch breaking = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    CallInFlight call = CallInFlight.begin(cancellation, () -> {
      breaking.countDown();
      awaitUninterruptibly(resume);
      broken.incrementAndGet();
    });
    CompletableFuture<Void> cancelling = CompletableFuture.runAsync(cancellation::cancel);
    breaking.await();
    CompletableFuture<Integer> closing = CompletableFuture.supplyAsync(() -> {
      call.close();
      return broken.get();
    });
    resume.countDown();
    assertThat(closing.get()).isEqualTo(1);
    cancelling.get();
  }

  @Test
  void aConnectionIsOpenedByAThreadThatKeepsNoProgramAlive() throws Exception {
    Thread opener =
        CallInFlight.open(cancellation, Thread::currentThread, late -> broken.incrementAndGet());
    assertThat(opener).isNotSameAs(Thread.currentThread());
    assertThat(opener.isDaemon()).isTrue();
    assertThat(broken).hasValue(0);
  }

  @Test
  void whatOpeningThrowsIsTold() {
    IllegalStateException refused = new IllegalStateException("refused");
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> CallInFlight.open(
            cancellation,
            () -> {
              throw refused;
            },
            late -> {}))
        .withCause(refused);
  }

  @Test
  void whoeverCancelsDoesNotWaitForAConnectionAndOneThatComesLaterIsGivenAway() throws Exception {
    CountDownLatch connecting = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    CompletableFuture<String> unwanted = new CompletableFuture<>();
    CompletableFuture<Void> cancelling = CompletableFuture.runAsync(() -> {
      awaitUninterruptibly(connecting);
      cancellation.cancel();
    });
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(() -> CallInFlight.open(
            cancellation,
            () -> {
              connecting.countDown();
              awaitUninterruptibly(resume);
              return "connection";
            },
            unwanted::complete));
    assertThat(unwanted).isNotDone();
    resume.countDown();
    assertThat(unwanted.get(1, TimeUnit.MINUTES)).isEqualTo("connection");
    cancelling.get();
  }

  @Test
  void whoeverIsInterruptedLeavesNoConnectionBehindEither() throws Exception {
    CountDownLatch resume = new CountDownLatch(1);
    CompletableFuture<String> unwanted = new CompletableFuture<>();
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> CallInFlight.open(
            cancellation,
            () -> {
              awaitUninterruptibly(resume);
              return "connection";
            },
            unwanted::complete));
    resume.countDown();
    assertThat(unwanted.get(1, TimeUnit.MINUTES)).isEqualTo("connection");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
