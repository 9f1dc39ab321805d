package dev.syncguard.lock.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.firestore.OptimisticRetry.Settled;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.Liveness;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a key to whoever may have it: reads lock and fence in one request, and writes both in another.
 *
 * <p>The clock is read between the two, in every attempt anew. Thread-safe.
 */
final class Grants {

  private final Calls calls;
  private final LockDocuments documents;
  private final OptimisticRetry retry;
  private final ClockSkewMonitor clock;
  private final PauseDetector pauses;
  private final Time time;
  private final Optional<Sightings> sightings;

  /**
   * The answer to an attempt, and when it is worth while to try again if it was refused.
   *
   * @param result the answer
   * @param freeInMillis how long the holder's lease must be left alone, tolerance included
   */
  record Attempted(AcquireResult result, long freeInMillis) {
    boolean isGranted() {
      return result instanceof AcquireResult.Acquired;
    }

    static Attempted refused(long freeInMillis) {
      return new Attempted(new AcquireResult.Contended(), freeInMillis);
    }
  }

  Grants(
      Calls calls,
      LockDocuments documents,
      OptimisticRetry retry,
      ClockSkewMonitor clock,
      PauseDetector pauses,
      Time time,
      Optional<Sightings> sightings) {
    this.calls = calls;
    this.documents = documents;
    this.retry = retry;
    this.clock = clock;
    this.pauses = pauses;
    this.time = time;
    this.sightings = sightings;
  }

  /** Both documents of a key, as they were at one moment. */
  private record Both(DocumentSnapshot lock, DocumentSnapshot fence, Optional<LockRecord> holder) {
    /**
     * Returns for how many milliseconds the lease goes on by Firestore's own clock, which no client can set.
     *
     * <p>The fence was written when the lease began, and nobody writes it again before the next one.
     */
    long remainingThere(LockRecord record) {
      DocumentSnapshot begun = fence.exists() ? fence : lock;
      return millis(begun.getUpdateTime())
          + record.lengthMs()
          + Liveness.TIME_TOLERANCE_MS
          - millis(lock.getReadTime());
    }

    private static long millis(Timestamp timestamp) {
      return Calls.instant(timestamp).toEpochMilli();
    }
  }

  private Both read(LockKey key, Operation operation) {
    List<DocumentSnapshot> found = calls.read(operation, documents.lock(key), documents.fence(key));
    return new Both(found.get(0), found.get(1), LockRecord.of(found.get(0)));
  }

  /** Returns whether anybody may be given a key, as far as the clock is known. */
  boolean mayGrant() {
    return clock.isTrusted();
  }

  /** Takes a key that nobody holds. */
  Attempted attempt(
      LockKey key, LockId id, Ttl ttl, Optional<LockNote> note, Cancellation cancellation) {
    Operation operation = calls.begin(cancellation);
    return run(key, id, ttl, operation, () -> {
      Both both = read(key, operation);
      clock.requireTrust();
      long now = time.now().toEpochMilli();
      Optional<LockRecord> live = both.holder.filter(record -> record.isLive(now));
      if (live.filter(record -> record.belongsTo(id)).isPresent()) {
        return Settled.with(new Attempted(live.get().granted(now), 0));
      }
      long leftHere = live.map(held -> held.expiresAtMs() + Liveness.TIME_TOLERANCE_MS - now)
          .orElse(0L);
      long leftBySight = leftBySight(both, key, id);
      return live.isPresent() || leftBySight > 0
          ? Settled.with(Attempted.refused(Math.max(leftHere, leftBySight)))
          : grant(both, key, id, ttl, note, now, operation);
    });
  }

  /** Asks for a key while watching for pauses, and goes on watching if it may have been granted. */
  private Attempted run(
      LockKey key,
      LockId id,
      Ttl ttl,
      Operation operation,
      OptimisticRetry.Attempt<Attempted> attempt) {
    pauses.begin(key, id, ttl);
    boolean mayBeOurs = false;
    try {
      Attempted attempted = retry.run(operation, attempt);
      mayBeOurs = attempted.isGranted();
      return attempted;
    } catch (LockException e) {
      mayBeOurs = e.leavesOutcomeUnknown();
      throw e;
    } finally {
      if (!mayBeOurs) {
        pauses.forget(id);
      }
    }
  }

  /** Returns for how many milliseconds a foreign lease must be left alone, whatever our wall clock says. */
  private long leftBySight(Both both, LockKey key, LockId id) {
    Optional<LockRecord> foreign = both.holder.filter(record -> !record.belongsTo(id));
    if (sightings.isEmpty() || foreign.isEmpty()) {
      return 0;
    }
    long remaining = both.remainingThere(foreign.get());
    return sightings.get().leftMillis(key, both.lock.getUpdateTime(), remaining);
  }

  /** Ends the lease {@code from} and gives its key to {@code id}, in one step. */
  AcquireResult takeOver(
      LockKey key,
      LockId from,
      LockId id,
      Ttl ttl,
      Optional<LockNote> note,
      Cancellation cancellation) {
    Operation operation = calls.begin(cancellation);
    Attempted attempted = run(key, id, ttl, operation, () -> {
      Both both = read(key, operation);
      long now = time.now().toEpochMilli();
      Optional<LockRecord> live = both.holder.filter(record -> record.isLive(now));
      if (live.filter(record -> record.belongsTo(id)).isPresent()) {
        return Settled.with(new Attempted(live.get().granted(now), 0));
      }
      return live.filter(record -> record.belongsTo(from)).isPresent()
          ? grant(both, key, id, ttl, note, now, operation)
          : Settled.with(Attempted.refused(0));
    });
    if (attempted.isGranted()) {
      pauses.forget(from);
    }
    return attempted.result();
  }

  private Settled<Attempted> grant(
      Both both,
      LockKey key,
      LockId id,
      Ttl ttl,
      Optional<LockNote> note,
      long now,
      Operation operation) {
    LockRecord record = new LockRecord(
        key, id, FenceCounter.next(both.fence, both.holder), now, now + ttl.millis(), note);
    WriteBatch writes = calls.newBatch();
    write(writes, both.lock, record.fields(both.lock));
    write(writes, both.fence, FenceCounter.fields(record.fence(), key));
    Calls.Outcome outcome = calls.commit(operation, writes);
    if (outcome == Calls.Outcome.DONE) {
      FenceWarning.check(record.fence(), key);
    }
    return new Settled<>(outcome, new Attempted(record.granted(now), 0));
  }

  /** Writes a document on condition that it is still as we read it. */
  private static void write(WriteBatch writes, DocumentSnapshot seen, Map<String, Object> fields) {
    if (seen.exists()) {
      writes.update(seen.getReference(), fields, Precondition.updatedAt(seen.getUpdateTime()));
    } else {
      writes.create(seen.getReference(), fields);
    }
  }
}
