package dev.syncguard.sync.remote;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.text.Json;
import dev.syncguard.sync.text.Words;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns Firestore's refusals into what can be done about them. Nothing else reads an HTTP status.
 *
 * <p>The word in {@code error.status} counts, the HTTP code only where there is none: a lost race is 400
 * FAILED_PRECONDITION, and only INVALID_ARGUMENT among the 400s is a mistake of ours.
 */
final class RestErrors {

  private RestErrors() {}

  /** Returns whether the answer says, in Firestore's words, that there is no such document. */
  static boolean saysMissing(Http.Answer answer) {
    return answer.status() == 404 && "NOT_FOUND".equals(word(answer)) && !namesTheDatabase(answer);
  }

  // A missing document is named, with its path; otherwise it is the database that is missing.
  private static boolean namesTheDatabase(Http.Answer answer) {
    String message = message(answer);
    return Words.mentions(message, "database") && !Words.mentions(message, "/documents/");
  }

  /** Returns why a read failed. */
  static SyncFailure ofRead(Http.Answer answer) {
    if ("NOT_FOUND".equals(word(answer)) && namesTheDatabase(answer)) {
      return SyncFailure.NO_DATABASE;
    }
    SyncFailure failure = of(answer);
    // A read has no races to lose: whoever says so is not Firestore, or not well.
    return failure == SyncFailure.CONFLICT || failure == SyncFailure.TOO_LARGE
        ? SyncFailure.NETWORK
        : failure;
  }

  /**
   * Returns why a commit failed.
   *
   * @param creates whether it was to create the document, which then cannot be what was not found
   */
  static SyncFailure ofCommit(Http.Answer answer, boolean creates) {
    if ("NOT_FOUND".equals(word(answer))) {
      return creates || namesTheDatabase(answer) ? SyncFailure.NO_DATABASE : SyncFailure.CONFLICT;
    }
    return of(answer);
  }

  private static SyncFailure of(Http.Answer answer) {
    String message = message(answer);
    String word = word(answer);
    if (answer.status() == 429
        || "RESOURCE_EXHAUSTED".equals(word)
        || Words.mentions(message, "quota")) {
      return SyncFailure.QUOTA;
    }
    if (word == null || answer.status() == 413) {
      return byCode(answer.status());
    }
    return switch (word) {
      case "ABORTED", "FAILED_PRECONDITION", "ALREADY_EXISTS" -> SyncFailure.CONFLICT;
      case "INVALID_ARGUMENT" ->
        speaksOfSize(message) ? SyncFailure.TOO_LARGE : SyncFailure.CLIENT_ERROR;
      case "PERMISSION_DENIED", "UNAUTHENTICATED" -> SyncFailure.DENIED;
      case "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN" ->
        SyncFailure.NETWORK;
      default -> byCode(answer.status());
    };
  }

  private static SyncFailure byCode(int status) {
    return switch (status) {
      case 400 -> SyncFailure.CLIENT_ERROR;
      case 401, 403 -> SyncFailure.DENIED;
      case 409, 412 -> SyncFailure.CONFLICT;
      case 413 -> SyncFailure.TOO_LARGE;
      default -> SyncFailure.NETWORK;
    };
  }

  private static boolean speaksOfSize(String message) {
    return Words.mentionsAny(message, "size", "index entr", "too large", "too long", "longer than");
  }

  private static String message(Http.Answer answer) {
    Map<String, Object> error = error(answer);
    return error != null && error.get("message") instanceof String text ? text : "";
  }

  private static @Nullable String word(Http.Answer answer) {
    Map<String, Object> error = error(answer);
    return error != null && error.get("status") instanceof String word ? word : null;
  }

  private static @Nullable Map<String, Object> error(Http.Answer answer) {
    Object body = Json.parse(answer.body());
    // Some of Google's front ends wrap the error into a list.
    Object first = body instanceof List<?> list && !list.isEmpty() ? list.get(0) : body;
    Map<String, Object> object = Json.object(first);
    return object == null ? null : Json.object(object.get("error"));
  }
}
