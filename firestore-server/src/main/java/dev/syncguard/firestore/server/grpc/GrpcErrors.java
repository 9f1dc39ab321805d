package dev.syncguard.firestore.server.grpc;

import static java.lang.System.Logger.Level.ERROR;

import dev.syncguard.firestore.server.FirestoreServerException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** Turns what the server throws into what a gRPC client sees. */
final class GrpcErrors {
  private static final System.Logger log = System.getLogger(GrpcErrors.class.getName());

  private GrpcErrors() {}

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
