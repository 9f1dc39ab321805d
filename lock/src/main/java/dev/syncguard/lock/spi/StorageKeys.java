package dev.syncguard.lock.spi;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;

/**
 * How keys are named inside a store, the same in every SyncGuard library so that they can share one.
 *
 * <p>A name that would be too long for the store is replaced by a hash of itself. Fence names are made from lock names,
 * not from keys, so that two keys share a fence exactly if they share a lock.
 *
 * @param prefix the namespace; trailing colons do not count
 * @param limitBytes how long a name may be, in bytes of UTF-8
 * @param reserveBytes how many of those the store needs for itself
 */
public record StorageKeys(String prefix, int limitBytes, int reserveBytes) {

  private static final int HASH_BYTES = 16;

  public StorageKeys {
    int end = prefix.length();
    while (end > 0 && prefix.charAt(end - 1) == ':') {
      end--;
    }
    prefix = prefix.substring(0, end);
    int separator = prefix.isEmpty() ? 0 : 1;
    if (utf8(prefix).length + separator + reserveBytes > limitBytes) {
      throw LockException.invalidArgument(
          "The key prefix leaves no room for a key within the store's limit of " + limitBytes
              + " bytes; choose a shorter one");
    }
  }

  /** Returns the name under which the lock of a key is stored. */
  public String lock(LockKey key) {
    return name(key.value());
  }

  /** Returns the hash form of {@link #lock}, for keys that the store cannot take as they are. */
  public String hashedLock(LockKey key) {
    return hashed(full(key.value()));
  }

  /** Returns the name of the fence counter that belongs to a stored lock. */
  public String fence(String lockName) {
    return name("fence:" + lockName);
  }

  /** Returns the name of the entry that leads from a lock id to its lock. */
  public String index(LockId id) {
    return name("id:" + id.value());
  }

  /** Returns the name for a text within this namespace. */
  String name(String text) {
    if (text.isEmpty()) {
      throw LockException.invalidArgument("A key must not be empty");
    }
    String full = full(Normalizer.normalize(text, Normalizer.Form.NFC));
    return fits(full) ? full : hashed(full);
  }

  private String full(String text) {
    return prefix.isEmpty() ? text : prefix + ":" + text;
  }

  private String hashed(String full) {
    byte[] digest = Arrays.copyOf(sha256(utf8(full)), HASH_BYTES);
    String name = full(Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    if (!fits(name)) {
      throw LockException.invalidArgument(
          "The key prefix is too long: even a hashed key exceeds the store's limit of " + limitBytes
              + " bytes; choose a shorter one");
    }
    return name;
  }

  private boolean fits(String name) {
    return utf8(name).length + reserveBytes <= limitBytes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
