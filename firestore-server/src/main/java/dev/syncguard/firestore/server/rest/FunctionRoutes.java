package dev.syncguard.firestore.server.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.trigger.Functions;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the functions emulator says what its functions are to be told. Thread-safe. */
public final class FunctionRoutes {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern FIRST = Pattern.compile("projects/([\\w.:-]+)/triggers/([^/]+)");
  private static final Pattern SECOND = Pattern.compile("projects/([\\w.:-]+)/eventarcTrigger");

  private final Functions functions;

  /** Makes the routes to functions. */
  public FunctionRoutes(Functions functions) {
    this.functions = functions;
  }

  /** Returns nothing for a path that is not of this kind. */
  Optional<HttpResponse> answer(String path, QueryParams query, AggregatedHttpRequest request) {
    Matcher first = FIRST.matcher(path);
    if (request.method() == HttpMethod.PUT && first.matches()) {
      JsonNode trigger = parse(request.contentUtf8()).path("eventTrigger");
      functions.registerFirst(
          first.group(1), first.group(2), text(trigger, "eventType"), text(trigger, "resource"));
      return Optional.of(json("{\n}\n"));
    }
    Matcher second = SECOND.matcher(path);
    if (request.method() == HttpMethod.POST && second.matches()) {
      JsonNode trigger = parse(request.contentUtf8());
      functions.registerSecond(
          second.group(1),
          query.get("eventarcTriggerId", ""),
          text(trigger, "eventType"),
          text(trigger, "database"),
          text(trigger.path("document"), "value"));
      return Optional.of(json(trigger + "\n"));
    }
    return Optional.empty();
  }

  private static String text(JsonNode parent, String field) {
    JsonNode value = parent.path(field);
    if (!value.isTextual()) {
      throw FirestoreServerException.invalid("The request lacks \"" + field + "\".");
    }
    return value.asText();
  }

  private static JsonNode parse(String body) {
    JsonGuard.check(body);
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
  }

  private static HttpResponse json(String text) {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, text);
  }
}
