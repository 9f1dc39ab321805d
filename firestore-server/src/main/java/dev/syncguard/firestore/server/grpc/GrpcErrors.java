package dev.syncguard.firestore.server.grpc;

import static java.lang.System.Logger.Level.ERROR;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.util.Exceptions;
import dev.syncguard.firestore.server.FirestoreServerException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/** Turns what the server throws into what a gRPC client sees. */
public final class GrpcErrors {
  private static final System.Logger log = System.getLogger(GrpcErrors.class.getName());

  private GrpcErrors() {}

  /** Answers for a call that went wrong outside of any method of ours; without an answer the default is used. */
  public static @Nullable Status status(
      RequestContext ctx, Status status, Throwable failure, Metadata metadata) {
    Throwable cause = Exceptions.peel(failure);
    for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
      if (inner instanceof InvalidProtocolBufferException) {
        return Status.INVALID_ARGUMENT.withDescription("The message is not a valid request.");
      }
    }
    return cause instanceof FirestoreServerException known ? translate(known).getStatus() : null;
  }

  static StatusRuntimeException translate(Throwable failure) {
    if (failure instanceof FirestoreServerException known) {
      return Status.fromCodeValue(known.code().getNumber())
          .withDescription(known.getMessage())
          .asRuntimeException();
    }
    if (failure instanceof StatusRuntimeException status) {
      return status;
    }
    log.log(ERROR, () -> "A request failed in a way that it should not", failure);
    return Status.INTERNAL.withDescription("Internal error.").asRuntimeException();
  }
}
