package dev.syncguard.lock;

import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The secret name of one lease: whoever knows it can extend and release that lease.
 *
 * <p>22 characters of base64url, made from 16 random bytes. Immutable; {@link #toString()} does not show it.
 */
public final class LockId {

  private static final int BYTES = 16;
  private static final int CHARACTERS = 22;

  private final String value;

  private LockId(String value) {
    this.value = value;
  }

  /** Returns a new id. The generator must be cryptographically strong wherever the id leaves a test. */
  public static LockId random(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return of(bytes);
  }

  static LockId of(byte[] bytes) {
    return new LockId(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns the id that a text spells, or throws {@code InvalidArgument}. */
  public static LockId parse(@Nullable String text) {
    if (text == null || !isValid(text)) {
      throw LockException.invalidArgument(
          "A lock id has exactly " + CHARACTERS + " characters out of A-Z a-z 0-9 _ -");
    }
    return new LockId(text);
  }

  /** Returns whether a text has the form of a lock id. */
  public static boolean isValid(@Nullable String text) {
    if (text == null || text.length() != CHARACTERS) {
      return false;
    }
    return text.chars().allMatch(LockId::isBase64Url);
  }

  private static boolean isBase64Url(int c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-';
  }

  /** Returns the secret itself: keep it out of logs. */
  public String value() {
    return value;
  }

  /** Returns the fingerprint under which logs and metrics know this lock id. */
  public LockHash hash() {
    return LockHash.of(value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LockId that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "LockId[" + hash() + "]";
  }
}
