package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseLifecycle;
import dev.syncguard.lock.lease.LeaseWindow;
import dev.syncguard.lock.lease.StoreClock;
import dev.syncguard.lock.waiting.RequestOptions;
import dev.syncguard.lock.waiting.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * However the threads in a waiting room take turns, they count one after the other, as in {@link Counter}, and nobody is
 * forgotten: no timeout would help them here, so a waiter whom nobody wakes is a deadlock.
 *
 * <p>In the end the room is empty and the key is free.
 */
public class WaitingInterleavingsIT {

  private static final LockKey KEY = LockKey.of("report");
  private static final RequestOptions PATIENT = RequestOptions.defaults(
          (error, failure) -> {}, Optional.empty())
      .withWaitLimit(Duration.ofDays(1));

  /** Nothing in these depends on other threads, so there is no point in switching to one. */
  private static final String[] VALUES = Stream.of(
          LockId.class,
          LockKey.class,
          Fence.class,
          Ttl.class,
          StoreClock.class,
          LeaseWindow.class,
          Duration.class,
          Instant.class)
      .map(Class::getName)
      .toArray(String[]::new);

  /** What the lock makes of a counter that is not thread-safe. */
  public static final class Counter {
    private int count;

    public int count() {
      return ++count;
    }

    public void waitUntilToldToGo() {}

    public void tellThemToGo() {}
  }

  private final UntimedServices services = new UntimedServices();
  private final WaitingRoom room =
      new WaitingRoom(services.store.waitingLine(), services.leaseServices(), services.random, 1);
  private final Cancellation cancellation = Cancellation.create();
  private int count;

  @Operation
  public int count() {
    LeaseLifecycle lease = room.await(KEY, PATIENT);
    int counted = ++count;
    release(lease);
    return counted;
  }

  /** Somebody who may leave at any moment, with the lock or without it. */
  @Operation
  public void waitUntilToldToGo() {
    LeaseLifecycle lease;
    try {
      lease = room.await(KEY, PATIENT.withCancellation(cancellation));
    } catch (LockException e) {
      if (e.code() == LockException.Code.ABORTED && cancellation.isCancelled()) {
        return;
      }
      throw e;
    }
    release(lease);
  }

  @Operation
  public void tellThemToGo() {
    cancellation.cancel();
  }

  private void release(LeaseLifecycle lease) {
    if (!lease.end()) {
      throw new IllegalStateException("Ended by somebody else");
    }
    boolean unused = lease.ending().tellStore(() -> room.release(lease, Cancellation.none()));
  }

  @Validate
  public void nothingIsLeftBehind() {
    if (!room.isEmpty() || services.store.isLocked(KEY, Cancellation.none())) {
      throw new IllegalStateException("Somebody left something behind");
    }
  }

  @Test
  void whoeverWaitsIsServedAndNobodySharesTheLock() {
    new ModelCheckingOptions()
        .sequentialSpecification(Counter.class)
        .threads(3)
        .actorsBefore(0)
        .actorsPerThread(2)
        .actorsAfter(0)
        .iterations(10)
        .invocationsPerIteration(50)
        .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(VALUES).allMethods().ignore())
        .check(WaitingInterleavingsIT.class);
  }
}
