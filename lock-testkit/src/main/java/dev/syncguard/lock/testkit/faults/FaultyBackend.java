package dev.syncguard.lock.testkit.faults;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.testkit.ForwardingBackend;
import java.time.Duration;
import java.util.Optional;

/** A backend that fails according to plan, also for those who wait in its line. Shareable if the other one is. */
public final class FaultyBackend extends ForwardingBackend {

  private final PlannedFault plan;

  /** Creates a backend that passes calls on to {@code target} unless the plan says otherwise. */
  public FaultyBackend(LockBackend target, PlannedFault plan) {
    super(target);
    this.plan = plan;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return plan.through(() -> super.acquire(key, id, ttl, cancellation));
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return plan.through(() -> super.acquire(key, id, ttl, note, cancellation));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return plan.through(() -> super.release(id, cancellation));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return plan.through(() -> super.extend(id, ttl, cancellation));
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return plan.through(() -> super.isLocked(key, cancellation));
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return plan.through(() -> super.lookupRaw(query, cancellation));
  }

  @Override
  public Optional<LockInfo> lookup(LockQuery query, Cancellation cancellation) {
    return plan.through(() -> super.lookup(query, cancellation));
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return super.waitingLine().map(FaultyLine::new);
  }

  private final class FaultyLine implements WaitingLine {
    private final WaitingLine target;

    FaultyLine(WaitingLine target) {
      this.target = target;
    }

    @Override
    public Place join(LockKey key, LockId id, Runnable wakeUp) {
      return new FaultyPlace(target.join(key, id, wakeUp));
    }

    @Override
    public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
      return new FaultyPlace(target.join(key, id, note, wakeUp));
    }
  }

  private final class FaultyPlace implements WaitingLine.Place {
    private final WaitingLine.Place target;

    FaultyPlace(WaitingLine.Place target) {
      this.target = target;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      return plan.through(() -> target.attempt(ttl, cancellation));
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return plan.through(() -> target.takeOver(from, ttl));
    }

    @Override
    public boolean mayTakeOver() {
      return target.mayTakeOver();
    }

    @Override
    public Duration patience() {
      return target.patience();
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
