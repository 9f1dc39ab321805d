package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Liveness;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What the document of a lock says. */
record LockRecord(
    LockKey key,
    LockId id,
    Fence fence,
    long acquiredAtMs,
    long expiresAtMs,
    Optional<LockNote> note) {

  static final String LOCK_ID = "lockId";
  static final String EXPIRES_AT = "expiresAtMs";
  private static final String ACQUIRED_AT = "acquiredAtMs";
  private static final String KEY = "key";
  private static final String FENCE = "fence";
  private static final String NOTE = "note";

  /** Returns what a document says, or empty if there is none. One that makes no sense is left alone and reported. */
  static Optional<LockRecord> of(DocumentSnapshot document) {
    if (!document.exists()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new LockRecord(
          LockKey.of(text(document.get(KEY))),
          LockId.parse(text(document.get(LOCK_ID))),
          Fence.parse(text(document.get(FENCE))),
          millis(document.get(ACQUIRED_AT)),
          millis(document.get(EXPIRES_AT)),
          LockNote.stored(document.get(NOTE))));
    } catch (LockException e) {
      throw damaged();
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value instanceof String text ? text : null;
  }

  private static long millis(@Nullable Object value) {
    if (value instanceof Long millis && millis >= 0) {
      return millis;
    }
    // JavaScript knows no integers, so one of its clients may store a whole number as a double.
    if (value instanceof Double number && number >= 0 && number == Math.rint(number)) {
      return number.longValue();
    }
    throw damaged();
  }

  static LockException damaged() {
    return new LockException(
        LockException.Code.INTERNAL,
        "A document in our collections holds something that SyncGuard did not write; nothing was"
            + " changed. Find out who shares the collection, then remove the document. A fence"
            + " counter must never be removed or set back");
  }

  /** Returns what to write into a document that may hold the note of an earlier holder. */
  Map<String, Object> fields(DocumentSnapshot before) {
    Map<String, Object> fields = new HashMap<>(Map.of(
        KEY,
        key.value(),
        LOCK_ID,
        id.value(),
        FENCE,
        fence.text(),
        ACQUIRED_AT,
        acquiredAtMs,
        EXPIRES_AT,
        expiresAtMs));
    if (note.isPresent()) {
      fields.put(NOTE, note.get().text());
    } else if (before.contains(NOTE)) {
      fields.put(NOTE, FieldValue.delete());
    }
    return fields;
  }

  boolean isLive(long nowMs) {
    return Liveness.isLive(expiresAtMs, nowMs);
  }

  /** Returns how long the lease lasts from when it was granted, extensions included. */
  long lengthMs() {
    return expiresAtMs - acquiredAtMs;
  }

  boolean belongsTo(LockId other) {
    return id.equals(other);
  }

  AcquireResult granted(long nowMs) {
    return AcquireResult.Acquired.at(nowMs, fence, expiresAtMs);
  }

  LockInfoDebug describe(Instant now) {
    return new LockInfoDebug(
        key,
        id,
        fence,
        Instant.ofEpochMilli(acquiredAtMs),
        Instant.ofEpochMilli(expiresAtMs),
        now,
        note,
        // Waiters listen, and Firestore tells nobody who does.
        OptionalInt.empty());
  }

  @Override
  public String toString() {
    return "LockRecord[" + key + ", fence " + fence + "]";
  }
}
