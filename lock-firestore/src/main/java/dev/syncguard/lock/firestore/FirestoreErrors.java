package dev.syncguard.lock.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.FirestoreException;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what Google's client throws into what a caller can act on, by the status alone.
 *
 * <p>The client's own exception is not kept as a cause: its message names documents, and so keys. Where nobody foresaw the
 * error, its types and traces are.
 */
final class FirestoreErrors {

  private static final int MOST_CAUSES = 10;

  private FirestoreErrors() {}

  /** Returns the status of an error, or {@code UNKNOWN} if it has none. */
  static Status.Code status(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof ApiException api) {
        return grpc(api.getStatusCode().getCode());
      }
      if (cause instanceof FirestoreException known && known.getStatus() != null) {
        return known.getStatus().getCode();
      }
      if (cause instanceof StatusRuntimeException grpc) {
        return grpc.getStatus().getCode();
      }
      if (cause instanceof StatusException grpc) {
        return grpc.getStatus().getCode();
      }
    }
    return Status.Code.UNKNOWN;
  }

  /** Returns whether a connection broke in a way for which gRPC has no word of its own. */
  private static boolean isBrokenConnection(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  private static Status.Code grpc(StatusCode.Code code) {
    return Status.Code.valueOf(code.name());
  }

  /** Returns what a caller should hear of a failed call. */
  static LockException translate(Throwable error) {
    Status.Code status = status(error);
    if (status == Status.Code.UNKNOWN && isBrokenConnection(error)) {
      status = Status.Code.UNAVAILABLE;
    }
    return switch (status) {
      case UNAVAILABLE, INTERNAL, CANCELLED ->
        unavailable("Firestore could not be reached or did not answer (" + status + "); try again");
      case ABORTED ->
        unavailable("Firestore could not decide between us and others who wanted the same"
            + " documents; try again");
      case DEADLINE_EXCEEDED -> tooSlow();
      case PERMISSION_DENIED, UNAUTHENTICATED ->
        new LockException(
            Code.AUTH_FAILED,
            "Firestore refused us (" + status + "); check the credentials, and that their account"
                + " may read and write documents (roles/datastore.user)");
      case RESOURCE_EXHAUSTED ->
        new LockException(
            Code.RATE_LIMITED,
            "Firestore asks us to slow down, or the quota of the project is used up");
      case NOT_FOUND ->
        LockException.invalidArgument(
            "Firestore knows no such project or database; check the names, or create the database"
                + " with: gcloud firestore databases create");
      case FAILED_PRECONDITION ->
        LockException.invalidArgument("Firestore cannot serve this request as the database is set"
            + " up: it may lack the index on lockId (syncguard doctor tells) or not be in native"
            + " mode");
      case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED ->
        LockException.invalidArgument("Firestore did not accept the request (" + status + ")");
      case OK, ALREADY_EXISTS, DATA_LOSS, UNKNOWN ->
        new LockException(
            Code.INTERNAL,
            "Firestore, or its client, failed in an unexpected way (" + status + ")",
            withoutWords(error, MOST_CAUSES));
    };
  }

  /** Returns an error with the types and traces of another, but not its words. */
  private static @Nullable Throwable withoutWords(@Nullable Throwable error, int mostCauses) {
    if (error == null || mostCauses == 0) {
      return null;
    }
    RuntimeException shape = new RuntimeException(
        error.getClass().getName(), withoutWords(error.getCause(), mostCauses - 1));
    shape.setStackTrace(error.getStackTrace());
    return shape;
  }

  static LockException tooSlow() {
    return new LockException(
        Code.NETWORK_TIMEOUT,
        "Firestore did not answer in time; what was asked for may have happened");
  }

  static LockException unavailable(String message) {
    return new LockException(Code.SERVICE_UNAVAILABLE, message);
  }
}
