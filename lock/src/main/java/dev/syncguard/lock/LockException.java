package dev.syncguard.lock;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says that there was no answer: the store failed, refused us, or the caller gave up.
 *
 * <p>A key that somebody else holds is an answer, never an exception. Neither the message nor {@link #toString()}
 * contains a key or a lock id; {@link #key()} and {@link #lockId()} hand them out to those who ask.
 */
public sealed class LockException extends RuntimeException
    permits LeaseLostException, BackendClosedException {

  private static final long serialVersionUID = 1L;

  /** What went wrong: the eight codes of the specification, which backends use, and two that only the library knows. */
  public enum Code {
    /** The store could not be reached, is starting, failing over, or could not decide a conflict. */
    SERVICE_UNAVAILABLE("ServiceUnavailable", true),
    /** The store does not accept our credentials, or does not allow what we asked for. */
    AUTH_FAILED("AuthFailed", false),
    /** The request itself is wrong; nothing was sent, or the store turned it away. */
    INVALID_ARGUMENT("InvalidArgument", false),
    /** The store asks us to slow down. */
    RATE_LIMITED("RateLimited", true),
    /** The store did not answer in time; what we asked for may have happened. */
    NETWORK_TIMEOUT("NetworkTimeout", true),
    /** The key stayed with somebody else for as long as the caller was willing to wait. */
    ACQUISITION_TIMEOUT("AcquisitionTimeout", true),
    /** The caller cancelled, was interrupted, or closed what it was waiting on. */
    ABORTED("Aborted", false),
    /** Something that should not happen, such as a stored record that makes no sense. */
    INTERNAL("Internal", false),
    /** The lease cannot be relied upon any more; the work that it protects must stop. */
    LEASE_LOST("LeaseLost", false),
    /** The store hands out fences again that it has handed out before: it lost data. */
    FENCE_REGRESSION("FenceRegression", false);

    private final String specName;
    private final boolean retryable;

    Code(String specName, boolean retryable) {
      this.specName = specName;
      this.retryable = retryable;
    }

    /** Returns the name under which other languages know this code. */
    public String specName() {
      return specName;
    }
  }

  private final Code code;
  private transient @Nullable LockKey key;
  private transient @Nullable LockId lockId;

  /** Creates an exception whose message says what happened and what to do next. */
  public LockException(Code code, String message) {
    this(code, message, null);
  }

  /** Creates an exception with the driver's error behind it; the caller makes sure that it names no key. */
  public LockException(Code code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code);
  }

  /** Returns an {@link Code#INVALID_ARGUMENT}; the message never repeats the argument. */
  public static LockException invalidArgument(String message) {
    return new LockException(Code.INVALID_ARGUMENT, message);
  }

  /** Remembers which key this is about, and returns this exception. */
  public LockException about(LockKey about) {
    this.key = about;
    return this;
  }

  /** Remembers which lease this is about, and returns this exception. */
  public LockException about(LockId about) {
    this.lockId = about;
    return this;
  }

  /** Returns what went wrong, as far as a caller can act on it. */
  public Code code() {
    return code;
  }

  /** Returns whether the same call may succeed a little later without anybody changing anything. */
  public boolean isRetryable() {
    return code.retryable;
  }

  /**
   * Returns whether what was asked for may have happened although there was no answer.
   *
   * <p>Only a request that was turned away before anything changed is certain.
   */
  public boolean leavesOutcomeUnknown() {
    return switch (code) {
      case INVALID_ARGUMENT,
          AUTH_FAILED,
          RATE_LIMITED,
          ACQUISITION_TIMEOUT,
          LEASE_LOST,
          FENCE_REGRESSION -> false;
      case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, ABORTED, INTERNAL -> true;
    };
  }

  /** Returns the key that this is about, if there is one. */
  public Optional<LockKey> key() {
    return Optional.ofNullable(key);
  }

  /** Returns the lease that this is about, if there is one. */
  public Optional<LockId> lockId() {
    return Optional.ofNullable(lockId);
  }

  /** Returns the message with hashes of the key and, cut to what identifies it in a log, of the lock id. */
  @Override
  @SuppressWarnings(
      "OverrideThrowableToString") // Logs need the hashes; those who show the message do not.
  public String toString() {
    String text = super.toString();
    if (key != null) {
      text += " [key " + key.hash() + "]";
    }
    if (lockId != null) {
      text += " [lock id " + lockId.hash().hex().substring(0, 8) + "…]";
    }
    return text;
  }
}
