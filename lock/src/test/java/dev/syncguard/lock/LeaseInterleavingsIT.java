package dev.syncguard.lock;

import dev.syncguard.lock.lease.LeaseLifecycle;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * However the threads that use a lease take turns, it looks to them like {@link Life}: lost is final, only one of them
 * ends it, and one that was lost before it ended is reported lost.
 */
public class LeaseInterleavingsIT {

  private static final Ttl TTL = Ttl.ofMillis(10_000);

  /** What a lease is to its users, without threads, stores and messages. */
  public static final class Life {
    private boolean held = true;
    private boolean ended;
    private int now;
    private int end = 1;

    public boolean isHeld() {
      held &= now < end;
      return held;
    }

    public boolean extend() {
      end = isHeld() ? now + 1 : end;
      return held;
    }

    public boolean release() {
      boolean isFirst = !ended;
      ended = true;
      held = false;
      return isFirst;
    }

    public void lose() {
      held = false;
    }

    public void watch() {}

    public void letItRunOut() {
      now++;
    }
  }

  private final UntimedServices services = new UntimedServices();
  private final LeaseLifecycle lease = new LeaseLifecycle(
      LockKey.of("report"), LockId.random(services.random), TTL, services.leaseServices());
  private volatile boolean released;

  public LeaseInterleavingsIT() {
    boolean held = lease.request(
            () -> services.store.acquire(lease.key(), lease.id(), TTL, Cancellation.none()))
        && lease.accept((error, failure) -> {});
    if (!held) {
      throw new IllegalStateException("Nobody else wants the lock");
    }
  }

  @Operation
  public boolean isHeld() {
    return lease.isHeld();
  }

  @Operation
  public boolean extend() {
    return lease.extend(TTL, Cancellation.none());
  }

  @Operation
  public boolean release() {
    boolean isFirst = lease.end();
    if (isFirst) {
      released = true;
      boolean unused = lease.ending().tellStore(() -> {
        services.store.release(lease.id(), Cancellation.none());
        return true;
      });
    }
    return isFirst;
  }

  @Operation
  public void lose() {
    lease.lose(Loss.GONE);
  }

  @Operation
  public void watch() {
    var unused = lease.whenLost();
  }

  @Operation
  public void letItRunOut() {
    services.pass(TTL.duration());
  }

  @Validate
  public void aLeaseThatIsNotHeldWasReleasedOrReportedLost() {
    CompletableFuture<Loss> loss = lease.whenLost().toCompletableFuture();
    boolean over = !lease.isHeld();
    if (over && !released && !loss.isDone()) {
      throw new IllegalStateException("Neither released nor reported lost");
    }
    if (!over && (released || loss.isDone())) {
      throw new IllegalStateException("Held although it was released or reported lost");
    }
  }

  @Test
  void aLeaseLooksTheSameToAllItsUsers() {
    new ModelCheckingOptions()
        .sequentialSpecification(Life.class)
        .threads(2)
        .actorsBefore(0)
        .actorsPerThread(3)
        .actorsAfter(1)
        .iterations(15)
        .invocationsPerIteration(100)
        .check(LeaseInterleavingsIT.class);
  }
}
