package dev.syncguard.lock.telemetry;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockListing;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.telemetry.EventSender.Verdict;
import dev.syncguard.lock.telemetry.LockEvent.Reason;
import java.util.Optional;
import java.util.function.Supplier;

/** A backend that tells what it does. */
final class ObservedBackend implements LockBackend {

  private final LockBackend backend;
  private final EventSender events;

  ObservedBackend(LockBackend backend, EventSender events) {
    this.backend = backend;
    this.events = events;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return observeAcquire(key, id, () -> backend.acquire(key, id, ttl, cancellation));
  }

  @Override
  public AcquireResult acquire(
      LockKey key, LockId id, Ttl ttl, LockNote note, Cancellation cancellation) {
    return observeAcquire(key, id, () -> backend.acquire(key, id, ttl, note, cancellation));
  }

  private AcquireResult observeAcquire(
      LockKey key, LockId id, Supplier<AcquireResult> acquisition) {
    return events.observe(
        LockEvent.Type.ACQUIRE,
        Optional.of(key),
        Optional.of(id),
        acquisition,
        ObservedBackend::verdict);
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return observeRelease(id, () -> backend.release(id, cancellation));
  }

  @Override
  public ReleaseResult release(LockKey key, LockId id, Cancellation cancellation) {
    return observeRelease(id, () -> backend.release(key, id, cancellation));
  }

  private ReleaseResult observeRelease(LockId id, Supplier<ReleaseResult> release) {
    return events.observe(
        LockEvent.Type.RELEASE,
        Optional.empty(),
        Optional.of(id),
        release,
        result ->
            result instanceof ReleaseResult.Absent absent ? verdict(absent.reason()) : Verdict.OK);
  }

  /** Tells of the key alone: whose lease it was is not known before. */
  @Override
  public Optional<LockInfoDebug> forceRelease(LockKey key, Cancellation cancellation) {
    return events.observe(
        LockEvent.Type.FORCE_RELEASE,
        Optional.of(key),
        Optional.empty(),
        () -> backend.forceRelease(key, cancellation),
        ended -> ended.isPresent() ? Verdict.OK : Verdict.no(Reason.NOT_FOUND));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return events.observe(
        LockEvent.Type.EXTEND,
        Optional.empty(),
        Optional.of(id),
        () -> backend.extend(id, ttl, cancellation),
        result ->
            result instanceof ExtendResult.Absent absent ? verdict(absent.reason()) : Verdict.OK);
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return events.observe(
        LockEvent.Type.IS_LOCKED,
        Optional.of(key),
        Optional.empty(),
        () -> backend.isLocked(key, cancellation),
        locked -> locked ? Verdict.OK : Verdict.NO);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return observeLookup(query, () -> backend.lookupRaw(query, cancellation));
  }

  @Override
  public Optional<LockInfo> lookup(LockQuery query, Cancellation cancellation) {
    return observeLookup(query, () -> backend.lookup(query, cancellation));
  }

  private <T> Optional<T> observeLookup(LockQuery query, Supplier<Optional<T>> lookup) {
    return events.observe(
        LockEvent.Type.LOOKUP,
        query instanceof LockQuery.ByKey byKey ? Optional.of(byKey.key()) : Optional.empty(),
        query instanceof LockQuery.ById byId ? Optional.of(byId.id()) : Optional.empty(),
        lookup,
        found -> found.isPresent() ? Verdict.OK : Verdict.NO);
  }

  @Override
  public Capabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return backend.waitingLine().map(line -> new ObservedLine(line, events));
  }

  @Override
  public Optional<LockListing> listing() {
    return backend.listing();
  }

  @Override
  public Optional<StoreCheck> storeCheck() {
    return backend.storeCheck();
  }

  @Override
  public void close() {
    backend.close();
  }

  static Verdict verdict(AcquireResult result) {
    return result instanceof AcquireResult.Acquired ? Verdict.OK : Verdict.no(Reason.LOCKED);
  }

  private static Verdict verdict(Absence absence) {
    return switch (absence) {
      case EXPIRED -> Verdict.no(Reason.EXPIRED);
      case NOT_FOUND -> Verdict.no(Reason.NOT_FOUND);
      case UNKNOWN -> Verdict.NO;
    };
  }
}
