package dev.syncguard.firestore.server.rest;

import static java.lang.System.Logger.Level.ERROR;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.rpc.Code;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.syncguard.firestore.server.FirestoreServerException;

/** Turns what the server throws into what an HTTP client sees. */
public final class HttpErrors {
  private static final System.Logger log = System.getLogger(HttpErrors.class.getName());

  private HttpErrors() {}

  static HttpResponse response(Throwable failure) {
    FirestoreServerException known = known(failure);
    return HttpResponse.of(
        HttpStatus.valueOf(status(known.code())), MediaType.JSON_UTF_8, body(known));
  }

  /** Returns the error as JSON, also for a stream that has begun and can no longer have a status of its own. */
  public static String body(Throwable failure) {
    FirestoreServerException known = known(failure);
    return body(status(known.code()), known.code(), String.valueOf(known.getMessage()));
  }

  private static FirestoreServerException known(Throwable failure) {
    if (failure instanceof FirestoreServerException known) {
      return known;
    }
    log.log(ERROR, () -> "A request failed in a way that it should not", failure);
    return new FirestoreServerException(Code.INTERNAL, "Internal error.");
  }

  static String body(int status, Code code, String message) {
    ObjectNode error = JsonNodeFactory.instance.objectNode();
    error.putObject("error").put("code", status).put("message", message).put("status", code.name());
    return error.toString();
  }

  static HttpResponse notFound() {
    return HttpResponse.of(HttpStatus.NOT_FOUND, MediaType.PLAIN_TEXT_UTF_8, "Not Found");
  }

  private static int status(Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ABORTED, ALREADY_EXISTS -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case CANCELLED -> 499;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
      default -> 500;
    };
  }
}
