package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockNote;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A live lock as the page shows it; times in milliseconds of this machine's clock.
 *
 * @param id the hash of the lock id, which tells one lease from another
 * @param key the hash of the key
 * @param since when the holder got it
 * @param until when it ends unless it is extended
 * @param renewed since when {@code until} has been known, so that a bar knows its full length
 * @param note what the holder says about itself, if it does
 * @param waiters how many wait for the key, if the store can tell
 * @param name the key itself, only if whoever started the console asked for it
 */
record LockRow(
    String id,
    String key,
    String fence,
    long since,
    long until,
    long renewed,
    Optional<String> note,
    OptionalInt waiters,
    Optional<String> name) {

  /** @param offset how far the store's clock is ahead of this machine's, in milliseconds */
  static LockRow of(LockInfo info, long offset) {
    long since = info.acquiredAt().toEpochMilli() - offset;
    return new LockRow(
        info.lockIdHash().hex(),
        info.keyHash().hex(),
        info.fence().toString(),
        since,
        info.expiresAt().toEpochMilli() - offset,
        since,
        info.note().map(LockNote::text),
        info.waiting(),
        Optional.empty());
  }

  /** Returns the same with the name of its key, for those who asked for names. */
  static LockRow named(LockInfoDebug info, long offset) {
    LockRow row = of(info.sanitized(), offset);
    return new LockRow(
        row.id,
        row.key,
        row.fence,
        row.since,
        row.until,
        row.renewed,
        row.note,
        row.waiters,
        Optional.of(info.key().value()));
  }

  LockRow renewedAt(long millis) {
    return new LockRow(id, key, fence, since, until, millis, note, waiters, name);
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("id", id)
        .put("key", key)
        .put("fence", fence)
        .put("since", since)
        .put("until", until)
        .put("renewed", renewed);
    note.ifPresent(text -> node.put("note", text));
    waiters.ifPresent(count -> node.put("waiters", count));
    name.ifPresent(text -> node.put("name", text));
    return node;
  }
}
