package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.proxy.FaultProxy.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each of the first requests is lost in each way: no wrong answer, no ghost, no success that was not. */
class FirestoreFaultIT extends OneFirestore {

  private static final int REQUESTS = 12;
  private static final int MOST_TRIES = 600;
  private static final Set<LockException.Code> NO_ANSWER =
      EnumSet.of(LockException.Code.NETWORK_TIMEOUT, LockException.Code.SERVICE_UNAVAILABLE);

  private final List<Fence> fences = new ArrayList<>();
  private FaultProxy proxy;

  @BeforeEach
  void openProxy() throws IOException {
    proxy = FaultProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  /** Returns a client that gives up after so many attempts of its own, 0 meaning that it does not. */
  private Firestore clientThroughProxy(int attempts) {
    var options = LocalFirestore.options("127.0.0.1:" + proxy.port());
    options.setRetrySettings(LocalFirestore.retries(attempts));
    return options.build().getService();
  }

  private static FirestoreLockBackend over(Firestore client) {
    return FirestoreLockBackend.builder(client).timeout(Duration.ofSeconds(1)).build();
  }

  /** Asks until there is an answer, as the library does. */
  private <T> T repeat(Supplier<T> call) {
    for (int tried = 1; ; tried++) {
      try {
        return call.get();
      } catch (LockException e) {
        assertThat(e.code()).isIn(NO_ANSWER);
        assertThat(tried).as("tries").isLessThan(MOST_TRIES);
        if (e.code() == LockException.Code.NETWORK_TIMEOUT) {
          // A connection on which nothing comes any more is noticed by the system in the end.
          proxy.cutAll();
        }
        // The client waits a second before it tries again to connect.
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"CUT_BEFORE,1", "CUT_AFTER,0", "CUT_AFTER,1", "STALL,1"})
  void everyOperationSurvivesTheLossOfAnyRequest(Failure failure, int attempts) {
    fences.clear();
    // Each answer that does not come costs a timeout.
    int last = failure == Failure.STALL ? REQUESTS / 2 : REQUESTS;
    for (int request = 1; request <= last; request++) {
      Firestore client = clientThroughProxy(attempts);
      proxy.failAt(request, failure);
      try (LockBackend unlucky = over(client)) {
        for (int round = 0; !proxy.hasFailed(); round++) {
          useOnce(unlucky);
          assertThat(round).as("rounds until request " + request).isLessThan(REQUESTS);
        }
        useOnce(unlucky);
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      } finally {
        client.shutdownNow();
      }
      proxy.cutAll();
    }
    assertThat(fences).isSorted().doesNotHaveDuplicates();
  }

  private void useOnce(LockBackend unlucky) {
    LockId id = newId();
    AcquireResult taken = repeat(() -> unlucky.acquire(key("report"), id, LONG, NEVER));
    assertThat(taken).as("nobody else wants it").isInstanceOf(AcquireResult.Acquired.class);
    fences.add(((AcquireResult.Acquired) taken).fence());
    assertThat(holder()).isEqualTo(id);

    assertThat(repeat(() -> unlucky.isLocked(key("report"), NEVER))).isTrue();
    assertThat(repeat(() -> unlucky.lookup(new LockQuery.ById(id), NEVER))).isPresent();
    assertThat(repeat(() -> unlucky.acquire(key("report"), newId(), LONG, NEVER)))
        .isInstanceOf(AcquireResult.Contended.class);
    ExtendResult extended = repeat(() -> unlucky.extend(id, LONG, NEVER));
    assertThat(extended).isInstanceOf(ExtendResult.Extended.class);
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER).orElseThrow().expiresAt())
        .isEqualTo(((ExtendResult.Extended) extended).expiresAt());

    LockId heir = newId();
    try (WaitingLine.Place place =
        unlucky.waitingLine().orElseThrow().join(key("report"), heir, () -> {})) {
      AcquireResult over = repeat(() -> place.takeOver(id, LONG));
      assertThat(over).isInstanceOf(AcquireResult.Acquired.class);
      fences.add(((AcquireResult.Acquired) over).fence());
    }
    assertThat(holder()).isEqualTo(heir);

    ReleaseResult released = repeat(() -> unlucky.release(heir, NEVER));
    assertThat(released).isInstanceOfAny(ReleaseResult.Released.class, ReleaseResult.Absent.class);
    assertThat(backend.isLocked(key("report"), NEVER)).as("a ghost").isFalse();
  }

  private LockId holder() {
    return backend
        .lookupRaw(new LockQuery.ByKey(key("report")), NEVER)
        .orElseThrow()
        .lockId();
  }

  @ParameterizedTest
  @CsvSource({"CUT_BEFORE,1", "CUT_AFTER,1"})
  void aUserGetsItsWorkDoneOrAnErrorAndNoLockStaysBehind(Failure failure, int attempts) {
    for (int request = 1; request <= REQUESTS / 2; request++) {
      AtomicBoolean told = new AtomicBoolean();
      Firestore client = clientThroughProxy(attempts);
      proxy.failAt(request, failure);
      try (LockBackend unlucky = over(client);
          Locks locks = Locks.builder(unlucky)
              .onReleaseError((error, what) -> told.set(true))
              .build()) {
        for (int round = 1; !proxy.hasFailed(); round++) {
          try {
            locks
                .lock("report")
                .ttl(Duration.ofMinutes(10))
                .waitUpTo(Duration.ofSeconds(30))
                .run(lease -> assertThat(holder()).isEqualTo(lease.id()));
          } catch (LockException e) {
            assertThat(e.code()).isIn(NO_ANSWER);
          }
          assertThat(round).isLessThan(REQUESTS);
        }
        // A release that was lost on its way leaves the lock to its ttl, and the user is told so.
        assertThat(await(() -> told.get() || !backend.isLocked(key("report"), NEVER)))
            .as("released, or told that it was not")
            .isTrue();
        Documents.await(lockDocument("report").delete());
      } catch (AssertionError e) {
        throw new AssertionError(failure + " of request " + request + ": " + e.getMessage(), e);
      } finally {
        client.shutdownNow();
      }
      proxy.cutAll();
    }
  }
}
