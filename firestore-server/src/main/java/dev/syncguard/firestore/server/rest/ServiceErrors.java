package dev.syncguard.firestore.server.rest;

import com.google.rpc.Code;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import org.jspecify.annotations.Nullable;

/** Answers for requests that went wrong outside of any method of ours, in the words of Firestore. Thread-safe. */
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

  /** Answers a request that never reached a service: too large, malformed, or without end. */
  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext ctx,
      ServiceConfig config,
      @Nullable RequestHeaders request,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    String message = description == null ? status.reasonPhrase() : description;
    String type = request == null ? null : request.get(HttpHeaderNames.CONTENT_TYPE);
    if (type != null && type.startsWith("application/grpc")) {
      return AggregatedHttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
          .set(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
          .setInt("grpc-status", code(status).getNumber())
          .set("grpc-message", message.replaceAll("[^ -~]|%", " "))
          .build());
    }
    return AggregatedHttpResponse.of(
        ResponseHeaders.of(status, HttpHeaderNames.CONTENT_TYPE, MediaType.JSON_UTF_8),
        HttpData.ofUtf8(HttpErrors.body(status.code(), code(status), message)));
  }

  private static Code code(HttpStatus status) {
    return switch (status.code()) {
      case 401 -> Code.UNAUTHENTICATED;
      case 403 -> Code.PERMISSION_DENIED;
      case 404 -> Code.NOT_FOUND;
      case 413, 431, 429 -> Code.RESOURCE_EXHAUSTED;
      case 501 -> Code.UNIMPLEMENTED;
      case 503 -> Code.UNAVAILABLE;
      case 504 -> Code.DEADLINE_EXCEEDED;
      default -> status.isClientError() ? Code.INVALID_ARGUMENT : Code.INTERNAL;
    };
  }
}
