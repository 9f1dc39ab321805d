package dev.syncguard.firestore.server.rest;

import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import org.jspecify.annotations.Nullable;

/** Answers for requests that went wrong outside of any method of ours, in the words of Firestore. Threads may share it. */
public final class ServiceErrors implements ServerErrorHandler {
  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable failure) {
    Throwable cause = Exceptions.peel(failure);
    if (cause instanceof RequestTimeoutException) {
      return HttpErrors.response(new FirestoreServerException(
          Code.DEADLINE_EXCEEDED, "The request took too long to arrive or to be answered."));
    }
    return cause instanceof FirestoreServerException known ? HttpErrors.response(known) : null;
  }
}
