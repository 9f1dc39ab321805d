package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.StorageKeys;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/**
 * The names of everything that we keep on a Redis server.
 *
 * <p>Locks, fences and indexes share one prefix, so a user key could be named like a fence or an index. Such a key is
 * stored under its hash instead; all others are named as in every SyncGuard library.
 */
final class RedisKeys {

  static final String DEFAULT_PREFIX = "syncguard";

  private static final int LIMIT_BYTES = 1000;
  private static final int RESERVE_BYTES = 26;
  private static final String INDEX = "id:";
  private static final LockId ANY_ID = LockId.parse("A".repeat(22));

  private final StorageKeys names;
  private final String fences;

  RedisKeys(String prefix) {
    if (prefix.contains("fence:") || prefix.endsWith("fence")) {
      throw LockException.invalidArgument(
          "A key prefix must neither contain \"fence:\" nor end with \"fence\": locks would be"
              + " stored among the fence counters");
    }
    if (prefix.indexOf('\0') >= 0 || !isText(prefix)) {
      throw LockException.invalidArgument(
          "A key prefix must contain neither NUL nor half of a surrogate pair");
    }
    names = new StorageKeys(prefix, LIMIT_BYTES, RESERVE_BYTES);
    names.index(ANY_ID);
    String namespace = names.prefix().isEmpty() ? "fence:" : "fence:" + names.prefix() + ":";
    fences = Normalizer.normalize(namespace, Normalizer.Form.NFC);
  }

  private static boolean isText(String prefix) {
    try {
      ByteBuffer unused = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(prefix));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  String lock(LockKey key) {
    return fallsAmongOurOwn(key.value()) ? names.hashedLock(key) : names.lock(key);
  }

  private boolean fallsAmongOurOwn(String key) {
    return key.startsWith(fences)
        || (key.startsWith(INDEX) && LockId.isValid(key.substring(INDEX.length())));
  }

  String fence(String lock) {
    return names.fence(lock);
  }

  String index(LockId id) {
    return names.index(id);
  }

  /** Returns what the names of indexes begin with, unless the prefix is so long that they are hashed. */
  String indexes() {
    return inNamespace(INDEX);
  }

  /** Returns a name for something that is not a key, such as a channel. */
  String inNamespace(String text) {
    return names.prefix().isEmpty() ? text : names.prefix() + ":" + text;
  }

  /** Returns a pattern for the names of all fence counters that are not hashed. */
  String fencePattern() {
    return quoted(inNamespace("fence:")) + "*";
  }

  /** Returns a pattern for the names of all indexes. */
  String indexPattern() {
    return quoted(indexes()) + "?".repeat(22);
  }

  private static String quoted(String text) {
    return text.replaceAll("([\\\\*?\\[\\]^])", "\\\\$1");
  }

  /** Returns whether all names lie in one slot of a cluster, because the prefix says so. */
  boolean shareOneSlot() {
    int open = names.prefix().indexOf('{');
    return open >= 0 && names.prefix().indexOf('}', open) > open + 1;
  }

  /** Says what to do about a prefix that spreads the names over a cluster. */
  LockException spreadOverSlots() {
    String example = names.prefix().isEmpty() ? DEFAULT_PREFIX : names.prefix();
    return LockException.invalidArgument(
        "On a Redis Cluster all keys of the locks must lie in one slot, so the key prefix needs a"
            + " hash tag: use the key prefix \"{" + example.replaceAll("[{}]", "")
            + "}\" in every process that shares these locks");
  }
}
