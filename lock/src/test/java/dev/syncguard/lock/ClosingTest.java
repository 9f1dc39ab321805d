package dev.syncguard.lock;

import static dev.syncguard.lock.LockException.Code.ABORTED;
import static dev.syncguard.lock.LockException.Code.INTERNAL;
import static dev.syncguard.lock.LockException.Code.NETWORK_TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.TroubledBackend.Call;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Closing ends what is held and what is waited for, and takes no longer than it says. */
@Timeout(60)
class ClosingTest {

  private final MemoryLockBackend store = new MemoryLockBackend();
  private final TroubledBackend backend = new TroubledBackend(store);
  private final List<LockException> reported = Collections.synchronizedList(new ArrayList<>());

  private Locks locks() {
    return Locks.builder(backend)
        .onReleaseError((error, failure) -> reported.add(error))
        .build();
  }

  private Locks impatientLocks() {
    return Locks.builder(backend)
        .onReleaseError((error, failure) -> reported.add(error))
        .disposeTimeout(Duration.ofMillis(50))
        .build();
  }

  private boolean isFree(String key) {
    return !store.isLocked(LockKey.of(key), Cancellation.none());
  }

  @Test
  void closingReleasesEveryLeaseAndTellsItsHolder() throws Exception {
    Locks locks = locks();
    List<CompletableFuture<Loss>> losses = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Lease lease = locks.lock("key-" + i).autoExtend(Duration.ofHours(1)).acquire();
      losses.add(lease.whenLost().toCompletableFuture());
    }
    locks.close();
    for (int i = 0; i < 20; i++) {
      assertThat(isFree("key-" + i)).isTrue();
      assertThat(losses.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(Loss.CLOSED);
    }
    assertThat(reported).isEmpty();
  }

  @Test
  void closingEndsWaitsWithAborted() throws Exception {
    Locks locks = locks();
    LockId other = LockId.parse("A".repeat(22));
    store.acquire(LockKey.of("report"), other, Ttl.ofMillis(600_000), Cancellation.none());
    CountDownLatch asked = new CountDownLatch(1);
    backend.next(Call.ACQUIRE, TroubledBackend.before(asked::countDown));
    List<CompletableFuture<LockException>> waits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waits.add(CompletableFuture.supplyAsync(() -> catchThrowableOfType(
          LockException.class,
          () -> locks.lock("report").waitUpTo(Duration.ofHours(1)).acquire())));
    }
    asked.await();
    locks.close();
    for (CompletableFuture<LockException> wait : waits) {
      // One that came only after the closing is refused like every other request.
      assertThat(wait.get(30, TimeUnit.SECONDS).code()).isIn(ABORTED, INTERNAL);
    }
    assertThat(locks.isIdle()).isTrue();
  }

  @TestFactory
  Stream<DynamicTest> afterClosingRequestsAreRefusedAndNothingIsSent() {
    Locks locks = locks();
    locks.close();
    locks.close();
    LockRequest request = locks.lock("report").autoExtend(Duration.ofHours(1));
    String id = "A".repeat(22);
    Map<String, ThrowingCallable> requests = new LinkedHashMap<>();
    requests.put("acquire", request::acquire);
    requests.put("tryAcquire", request::tryAcquire);
    requests.put("lockAll", () -> locks.lockAll("a", "b").acquire());
    requests.put("semaphore", () -> locks.semaphore("downloads", 2).acquire());
    requests.put("elect", () -> locks.elect("leader", new Idle()));
    requests.put("release", () -> locks.release(id));
    requests.put("extend", () -> locks.extend(id, Duration.ofSeconds(1)));
    requests.put("forceRelease", () -> locks.forceRelease("report"));
    requests.put("isLocked", () -> locks.isLocked("report"));
    requests.put("getByKey", () -> locks.getByKey("report"));
    requests.put("getById", () -> locks.getById(id));
    requests.put("getByKeyRaw", () -> locks.getByKeyRaw("report"));
    requests.put("getByIdRaw", () -> locks.getByIdRaw(id));
    requests.put("owns", () -> locks.owns(id));
    return requests.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
          LockException error = catchThrowableOfType(LockException.class, entry.getValue());
          assertThat(error).hasMessageContaining("closed").hasMessageContaining("nothing was sent");
          assertThat(error.isRetryable()).isFalse();
          assertThat(backend.calls).isEmpty();
        }));
  }

  @Test
  void afterClosingAFutureFailsAndNothingIsSent() {
    Locks locks = locks();
    locks.close();
    assertThatThrownBy(() -> locks.lock("report").acquireAsync().get())
        .hasCauseInstanceOf(LockException.class);
    assertThat(backend.calls).isEmpty();
  }

  @Test
  void aLeaderThatHasNotStoppedInTimeKeepsItsKey() throws Exception {
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch elected = new CountDownLatch(1);
    Locks locks = impatientLocks();
    LeaderElection election = locks.elect("leader", new Idle() {
      @Override
      public void elected(Leadership leadership) {
        elected.countDown();
      }

      @Override
      public void revoked(Leadership leadership) {
        awaitUninterruptibly(stop);
      }
    });
    elected.await();
    locks.lock("report").acquire();
    locks.close();
    assertThat(stop.getCount()).as("closed within the dispose timeout").isEqualTo(1);
    assertThat(isFree("leader")).as("the key of a leader that is at work").isFalse();
    stop.countDown();
    election.close();
    assertThat(isFree("leader")).as("the key of a leader that has stopped").isTrue();
  }

  /** Wants to be leader, and does nothing then. */
  private static class Idle implements Candidate {
    @Override
    public void elected(Leadership leadership) {}

    @Override
    public void revoked(Leadership leadership) {}
  }

  @Test
  void closingTakesNoLongerThanTheDisposeTimeoutHoweverLongTheStoreHangs() {
    Locks locks = impatientLocks();
    CountDownLatch resume = new CountDownLatch(1);
    for (int i = 0; i < 5; i++) {
      locks.lock("key-" + i).acquire();
      backend.next(Call.RELEASE, hang(resume));
    }
    locks.close();
    assertThat(resume.getCount()).as("closed while the store hangs").isEqualTo(1);
    assertThat(reported).isNotEmpty().allMatch(error -> error.code() == NETWORK_TIMEOUT);
    resume.countDown();
  }

  @Test
  void aGroupIsClosedWithinOneDisposeTimeout() {
    Locks locks = impatientLocks();
    LeaseGroup group = locks.lockAll("a", "b", "c").acquire();
    CountDownLatch resume = new CountDownLatch(1);
    for (int i = 0; i < 3; i++) {
      backend.next(Call.RELEASE, hang(resume));
    }
    group.close();
    assertThat(resume.getCount()).isEqualTo(1);
    assertThat(reported).extracting(LockException::key).doesNotHaveDuplicates().hasSize(3);
    resume.countDown();
  }

  @Test
  void beingInterruptedDoesNotLengthenTheDisposeTimeout() {
    Locks locks = impatientLocks();
    Lease lease = locks.lock("report").acquire();
    CountDownLatch resume = new CountDownLatch(1);
    backend.next(Call.RELEASE, hang(resume));
    Thread.currentThread().interrupt();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(reported).hasSize(1);
    resume.countDown();
  }

  @Test
  void closingAsksForFewReleasesAtOnceHoweverManyLeasesAreHeld() throws Exception {
    int leases = 500;
    Locks locks = impatientLocks();
    CountDownLatch resume = new CountDownLatch(1);
    CountDownLatch given = new CountDownLatch(leases);
    AtomicInteger underWay = new AtomicInteger();
    for (int i = 0; i < leases; i++) {
      locks.lock("key-" + i).acquire();
      backend.next(Call.RELEASE, TroubledBackend.after(() -> {
        underWay.incrementAndGet();
        awaitUninterruptibly(resume);
        given.countDown();
      }));
    }
    locks.close();
    assertThat(underWay).hasValueBetween(1, 16);
    resume.countDown();
    assertThat(given.await(30, TimeUnit.SECONDS)).as("all released in the end").isTrue();
  }

  @Test
  void aBackendThatWasClosedIsNotAskedAgain() {
    ManualTime time = ManualTime.stopped();
    TroubledBackend shut = new TroubledBackend(new MemoryLockBackend(time));
    Locks locks = Locks.builder(shut)
        .time(time)
        .background(time.background())
        .onReleaseError((error, failure) -> reported.add(error))
        .build();
    for (int i = 0; i < 1_000; i++) {
      shut.next(Call.RELEASE, closed());
    }
    for (int i = 0; i < 20; i++) {
      locks.lock("key-" + i).ttl(Duration.ofHours(1)).acquire().close();
    }
    time.advance(Duration.ofSeconds(1));
    shut.calls.clear();
    time.advance(Duration.ofMinutes(59));
    assertThat(shut.calls).isEmpty();
    assertThat(reported).hasSize(20);
  }

  private static TroubledBackend.Trouble closed() {
    return new TroubledBackend.Trouble() {
      @Override
      public <T> T on(Supplier<T> real) {
        throw new BackendClosedException();
      }
    };
  }

  private static TroubledBackend.Trouble hang(CountDownLatch until) {
    return TroubledBackend.after(() -> awaitUninterruptibly(until));
  }

  private static void awaitUninterruptibly(CountDownLatch until) {
    try {
      until.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCallbackAboutALossMayWaitForAThreadThatExtends() throws Exception {
    Lease lease = locks().lock("report").acquire();
    CompletableFuture<Boolean> worker = new CompletableFuture<>();
    CompletableFuture<Void> callback =
        lease.whenLost().thenAccept(loss -> worker.join()).toCompletableFuture();
    store.release(lease.id(), Cancellation.none());
    // The very thread that finds out is the one that the callback waits for.
    worker.complete(lease.extend(Duration.ofSeconds(30)));
    callback.get(30, TimeUnit.SECONDS);
    assertThat(worker.get()).isFalse();
  }

  @Test
  void aListenerMayWaitForAnotherThreadThatUsesTheLease() throws Exception {
    Lease lease = locks().lock("report").acquire();
    backend.next(Call.EXTEND, TroubledBackend.after(() -> {
      // What a telemetry listener that is called on the operation's thread might do.
      assertThat(CompletableFuture.supplyAsync(() -> lease.extend(Duration.ofSeconds(30)))
              .join())
          .isTrue();
    }));
    assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
    assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  @Test
  void leasesAreReleasedWhenTheJvmShutsDown(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path released = directory.resolve("released");
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            Path.of("target", "classes") + File.pathSeparator + Path.of("target", "test-classes"),
            Program.class.getName(),
            released.toString())
        .redirectErrorStream(true)
        .redirectOutput(new File(directory.toFile(), "output"))
        .start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(released).as(Files.readString(directory.resolve("output"))).exists();
  }

  /** Takes a lock, and ends without releasing it. */
  static final class Program {
    public static void main(String[] args) {
      TroubledBackend backend = new TroubledBackend(new MemoryLockBackend());
      backend.next(Call.RELEASE, TroubledBackend.before(() -> {
        try {
          Files.createFile(Path.of(args[0]));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }));
      Locks.builder(backend).releaseOnShutdown().build().lock("report").acquire();
      System.exit(0);
    }
  }
}
