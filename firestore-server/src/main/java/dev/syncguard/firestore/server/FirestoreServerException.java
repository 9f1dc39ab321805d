package dev.syncguard.firestore.server;

import com.google.rpc.Code;
import java.util.Objects;

/**
 * Says why a request was not carried out, with the status code that the client will see. Thread-safe.
 */
public final class FirestoreServerException extends RuntimeException {
  private final transient Code code;

  /** Creates an answer that a client sees as this status. */
  public FirestoreServerException(Code code, String message) {
    super(message);
    this.code = Objects.requireNonNull(code, "code");
  }

  /** Creates an answer that a client sees as this status; the cause stays with the server. */
  public FirestoreServerException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = Objects.requireNonNull(code, "code");
  }

  /** Returns the canonical status code. */
  public Code code() {
    return code;
  }

  /** Returns the answer to a request that is wrong whatever the server holds. */
  public static FirestoreServerException invalid(String message) {
    return new FirestoreServerException(Code.INVALID_ARGUMENT, message);
  }

  /** Returns the answer to a request that the stored state does not allow. */
  public static FirestoreServerException failedPrecondition(String message) {
    return new FirestoreServerException(Code.FAILED_PRECONDITION, message);
  }

  /** Returns the answer to a request that lost against others and may be tried again. */
  public static FirestoreServerException aborted(String message) {
    return new FirestoreServerException(Code.ABORTED, message);
  }

  /** Returns the answer to a request for something that is not there. */
  public static FirestoreServerException notFound(String message) {
    return new FirestoreServerException(Code.NOT_FOUND, message);
  }
}
