package dev.syncguard.lock;

import dev.syncguard.lock.runtime.Deadline;
import dev.syncguard.lock.runtime.Interruption;
import dev.syncguard.lock.runtime.LockErrors;
import dev.syncguard.lock.waiting.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A request for one of several permits: {@code locks.semaphore("downloads", 3).run(lease -> download())}. Immutable.
 *
 * <p>A permit is a lock of its own: permit 2 of {@code downloads} is the key {@code downloads#2}. So there are never more
 * holders than permits, by the promise of each lease, and the fence of each permit rises from holder to holder; fences of
 * different permits cannot be compared, so hand {@link Lease#key()} on together with the fence.
 *
 * <p>Whoever waits takes the key {@code downloads#next} first, and waits for all permits at once while holding it. So those who
 * wait are served in the order in which that key is: first come, first served within a process, and between processes as
 * the waiting line of the store does it. One that died while waiting holds up the others for at most ten seconds and the
 * tolerance of the store. {@link #tryAcquire} does not stand in line.
 */
public final class Semaphore extends Request<Semaphore, Lease> {

  /** Whoever is next waits for each permit separately, so there should not be too many. */
  public static final int MOST_PERMITS = 64;

  private static final Duration TURN_TTL = Duration.ofSeconds(10);
  private static final Duration LONGEST_TURN = Duration.ofDays(365);

  private final LockKey turn;
  private final List<LockKey> permits;

  private Semaphore(Locks locks, LockKey turn, List<LockKey> permits, RequestOptions options) {
    super(locks, options);
    this.turn = turn;
    this.permits = permits;
  }

  static Semaphore of(Locks locks, String name, int permits, RequestOptions options) {
    if (permits < 1 || permits > MOST_PERMITS) {
      throw LockException.invalidArgument("A semaphore has 1 to " + MOST_PERMITS + " permits");
    }
    LockKey.of(name);
    List<LockKey> keys = IntStream.rangeClosed(1, permits)
        .mapToObj(number -> LockKey.of(name + "#" + number))
        .toList();
    return new Semaphore(locks, LockKey.of(name + "#next"), keys, options);
  }

  @Override
  Semaphore with(RequestOptions changed) {
    return new Semaphore(locks, turn, permits, changed);
  }

  @Override
  void close(Lease held) {
    held.close();
  }

  /** Tries each permit once, without waiting, and returns the lease unless all are taken. */
  @Override
  public Optional<Lease> tryAcquire() {
    List<LockKey> inTurn = new ArrayList<>(permits);
    // Else all would begin with the same one.
    Collections.rotate(inTurn, locks.random().nextInt(permits.size()));
    return inTurn.stream()
        .map(permit -> locks.tryAcquire(permit, options))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Waits for a permit and returns its lease, or throws {@code AcquisitionTimeout}. */
  @Override
  public Lease acquire() {
    Deadline deadline = new Deadline(options.waitLimit(), locks.time());
    RequestOptions standing =
        options.withAtLeast(Duration.ZERO).withMaxHold(LONGEST_TURN).withTtl(TURN_TTL);
    try (Lease unused = locks.acquire(turn, standing)) {
      return tryAcquire().orElseGet(() -> awaitAny(options.withWaitLimit(deadline.left())));
    }
  }

  /** Waits for all permits at once, keeps the first that comes, and leaves or gives back the others. */
  private Lease awaitAny(RequestOptions waiting) {
    CompletableFuture<Lease> first = new CompletableFuture<>();
    AtomicInteger hopes = new AtomicInteger(permits.size());
    List<CompletableFuture<Lease>> waits = permits.stream()
        .map(permit -> new LockRequest(locks, permit, waiting).acquireAsync())
        .toList();
    for (CompletableFuture<Lease> wait : waits) {
      CompletableFuture<Lease> unused = wait.whenComplete((lease, error) -> {
        if (lease != null && !first.complete(lease)) {
          lease.close();
        } else if (error != null && hopes.decrementAndGet() == 0) {
          first.completeExceptionally(error);
        }
      });
    }
    try {
      return result(first);
    } finally {
      waits.forEach(wait -> wait.cancel(true));
    }
  }

  /** Waits through our own time, so that a test can decide how it passes. */
  private Lease result(CompletableFuture<Lease> first) {
    Time.Signal signal = locks.time().newSignal();
    CompletableFuture<Lease> unused = first.whenComplete((lease, error) -> signal.fire());
    try {
      while (!first.isDone()) {
        signal.await(LONGEST_TURN);
      }
      return first.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LockException aborted = Interruption.aborted();
      if (!first.completeExceptionally(aborted)) {
        CompletableFuture<Void> unusedToo = first.thenAccept(Lease::close);
      }
      throw aborted;
    } catch (CompletionException e) {
      throw LockErrors.of(e.getCause() == null ? e : e.getCause());
    }
  }
}
