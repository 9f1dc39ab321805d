package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.firestore.Optimism.Settled;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.Liveness;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a key to whoever may have it: reads lock and fence in one request, and writes both in another.
 *
 * <p>The clock is read between the two, in every round anew. Threads may share it.
 */
final class Grants {

  private final Calls calls;
  private final LockDocuments documents;
  private final Optimism optimism;
  private final ServerClock clock;
  private final Time time;
  private final boolean strictTakeover;

  /**
   * The answer to an attempt, and when it is worth while to try again if it was refused.
   *
   * @param result the answer
   * @param freeInMillis how long the holder's lease goes on, tolerance included
   */
  record Attempted(AcquireResult result, long freeInMillis) {
    static Attempted refused(long freeInMillis) {
      return new Attempted(new AcquireResult.Contended(), freeInMillis);
    }
  }

  Grants(
      Calls calls,
      LockDocuments documents,
      Optimism optimism,
      ServerClock clock,
      Time time,
      boolean strictTakeover) {
    this.calls = calls;
    this.documents = documents;
    this.optimism = optimism;
    this.clock = clock;
    this.time = time;
    this.strictTakeover = strictTakeover;
  }

  /** Both documents of a key, as they were at one moment. */
  private record Both(DocumentSnapshot lock, DocumentSnapshot fence, Optional<LockRecord> holder) {
    /** Returns the expiry of a lease on Firestore's own clock, which no client can set. */
    long expiryThere(LockRecord record) {
      // The fence was written when the lease began, and nobody writes it again before the next one.
      return Calls.instant(fence.getUpdateTime()).toEpochMilli()
          + (record.expiresAtMs() - record.acquiredAtMs());
    }

    long nowThere() {
      return Calls.instant(lock.getReadTime()).toEpochMilli();
    }
  }

  private Both read(LockKey key, Cancellation cancellation) {
    List<DocumentSnapshot> found =
        calls.read(cancellation, documents.lock(key), documents.fence(key));
    return new Both(found.get(0), found.get(1), LockRecord.of(found.get(0)));
  }

  /** Takes a key that nobody holds. */
  Attempted attempt(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    return optimism.play(() -> {
      Both both = read(key, cancellation);
      cancellation.throwIfCancelled();
      clock.requireTrust();
      long now = time.now().toEpochMilli();
      Optional<LockRecord> live = both.holder.filter(record -> record.isLive(now));
      if (live.isPresent()) {
        LockRecord held = live.get();
        return Settled.with(
            held.belongsTo(id)
                ? new Attempted(held.granted(), 0)
                : Attempted.refused(held.expiresAtMs() + Liveness.TIME_TOLERANCE_MS - now));
      }
      Optional<Long> ends =
          both.holder.filter(record -> isLiveThere(both, record)).map(both::expiryThere);
      if (ends.isPresent()) {
        return Settled.with(
            Attempted.refused(ends.get() + Liveness.TIME_TOLERANCE_MS - both.nowThere()));
      }
      return grant(both, key, id, ttl, now, cancellation);
    });
  }

  private boolean isLiveThere(Both both, LockRecord record) {
    return strictTakeover
        && both.fence.exists()
        && Liveness.isLive(both.expiryThere(record), both.nowThere());
  }

  /** Ends the lease {@code from} and gives its key to {@code id}, in one step. */
  AcquireResult takeOver(LockKey key, LockId from, LockId id, Ttl ttl) {
    return optimism
        .play(() -> {
          Both both = read(key, Cancellation.none());
          long now = time.now().toEpochMilli();
          Optional<LockRecord> live = both.holder.filter(record -> record.isLive(now));
          if (live.filter(record -> record.belongsTo(id)).isPresent()) {
            return Settled.with(new Attempted(live.get().granted(), 0));
          }
          return live.filter(record -> record.belongsTo(from)).isPresent()
              ? grant(both, key, id, ttl, now, Cancellation.none())
              : Settled.with(Attempted.refused(0));
        })
        .result();
  }

  private Settled<Attempted> grant(
      Both both, LockKey key, LockId id, Ttl ttl, long now, Cancellation cancellation) {
    LockRecord record = new LockRecord(
        key, id, FenceCounter.next(both.fence, both.holder), now, now + ttl.millis());
    WriteBatch writes = calls.newBatch();
    write(writes, both.lock, record.fields());
    write(writes, both.fence, FenceCounter.fields(record.fence(), key));
    cancellation.throwIfCancelled();
    Calls.Outcome outcome = calls.commit(cancellation, writes);
    if (outcome == Calls.Outcome.DONE) {
      FenceWarning.check(record.fence(), key);
    }
    return new Settled<>(outcome, new Attempted(record.granted(), 0));
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
