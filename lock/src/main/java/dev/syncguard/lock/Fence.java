package dev.syncguard.lock;

import org.jspecify.annotations.Nullable;

/**
 * A number that grows with each holder of a key, so that a resource can turn away a late one.
 *
 * <p>The resource remembers the highest fence that it has seen and refuses anything lower. As text a fence has 15
 * digits, so that texts sort like the numbers.
 */
public record Fence(long value) implements Comparable<Fence> {

  /** The fence of the first holder of a key. */
  public static final Fence FIRST = new Fence(1);

  /** The last fence that is ever handed out. */
  public static final long MAX = 900_000_000_000_000L;

  /** Above this the library warns that the key should be retired. */
  public static final long WARN = 90_000_000_000_000L;

  private static final int DIGITS = 15;
  private static final long LARGEST_WITH_15_DIGITS = 999_999_999_999_999L;

  public Fence {
    if (value < 1) {
      throw new LockException(
          LockException.Code.INTERNAL, "A fence starts at 1, so the stored counter is damaged");
    }
    if (value > MAX) {
      throw new LockException(
          LockException.Code.INTERNAL,
          "The fence counter of this key is used up (" + MAX + "); continue under a new key");
    }
  }

  /** Returns the fence that 15 digits spell; a longer number with leading zeros is an old spelling of the same. */
  public static Fence parse(@Nullable String text) {
    if (text == null
        || text.isEmpty()
        || text.length() > 19
        || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new LockException(
          LockException.Code.INTERNAL, "A stored fence is not a decimal number");
    }
    // 19 digits may be more than a long holds; as an unsigned one they are negative, and refused.
    return new Fence(Long.parseUnsignedLong(text));
  }

  /** Returns a counter value as 15 digits, zero included, as stores keep it. */
  public static String format(long counter) {
    if (counter < 0 || counter > LARGEST_WITH_15_DIGITS) {
      throw LockException.invalidArgument(
          "A fence counter has at most " + DIGITS + " digits and no sign");
    }
    String digits = Long.toString(counter);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }

  /** Returns the fence as 15 digits. */
  public String text() {
    return format(value);
  }

  /** Returns the fence of the next holder, or throws {@code Internal} when there is none left. */
  public Fence next() {
    return new Fence(value + 1);
  }

  /** Returns whether so few fences are left that somebody should be told. */
  public boolean isNearlyUsedUp() {
    return value > WARN;
  }

  @Override
  public int compareTo(Fence other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return text();
  }
}
