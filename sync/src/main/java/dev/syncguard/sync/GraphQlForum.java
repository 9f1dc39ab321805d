package dev.syncguard.sync;

import dev.syncguard.sync.text.Json;
import dev.syncguard.sync.text.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a reader, from the GraphQL interface of a ForumMagnum site. The cookies of the session that sends the
 * requests say who that is.
 */
public final class GraphQlForum implements ForumIdentity {

  /** The query for the current user; a page may ask it itself and pass the answer to {@link #currentUser(String)}. */
  public static final String CURRENT_USER =
      "query GetCurrentUser { currentUser { _id username slug karma reactPaletteStyle abTestOverrides } }";

  private static final String UPDATE =
      "mutation UpdateSyncSecret($id: String!, $data: UpdateUserDataInput!) {"
          + " updateUser(selector: { _id: $id }, data: $data) { data { _id abTestOverrides } } }";
  private static final long TIMEOUT_MILLIS = 15_000;

  private final Http http;
  private final String endpoint;

  /** Creates the identity behind {@code endpoint}, such as {@code https://www.lesswrong.com/graphql}. */
  public GraphQlForum(Http http, String endpoint) {
    this.http = http;
    this.endpoint = endpoint;
  }

  @Override
  public void currentUser(Consumer<Answer> callback) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("operationName", "GetCurrentUser");
    body.put("query", CURRENT_USER);
    body.put("variables", Map.of());
    post(body, text -> callback.accept(currentUser(text)));
  }

  @Override
  public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
    Map<String, Object> variables = new LinkedHashMap<>();
    variables.put("id", userId);
    variables.put("data", Map.of("abTestOverrides", new Json.Raw(overrides)));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("operationName", "UpdateSyncSecret");
    body.put("query", UPDATE);
    body.put("variables", variables);
    post(body, text -> {
      Map<String, Object> answer = Json.parseObject(text);
      Map<String, Object> updated =
          answer == null ? null : member(member(answer, "data"), "updateUser");
      Map<String, Object> user = member(updated, "data");
      if (user == null || answer == null || answer.containsKey("errors")) {
        callback.accept(new Unknown());
      } else {
        callback.accept(user(user));
      }
    });
  }

  private void post(Map<String, Object> body, Consumer<String> callback) {
    http.send(
        new Http.Request(Http.Method.POST, endpoint, Json.write(body), TIMEOUT_MILLIS),
        reply -> callback.accept(
            reply instanceof Http.Answer answer && answer.status() == 200 ? answer.body() : ""));
  }

  /** Returns what the body of an answer to {@link #CURRENT_USER} says. */
  public static Answer currentUser(String body) {
    Map<String, Object> answer = Json.parseObject(body);
    if (answer == null) {
      return new Unknown();
    }
    List<?> errors = answer.get("errors") instanceof List<?> list ? list : List.of();
    if (hidesOverrides(errors)) {
      return new Denied();
    }
    Map<String, Object> data = Json.object(answer.get("data"));
    if (!errors.isEmpty() || data == null || !data.containsKey("currentUser")) {
      return new Unknown();
    }
    Map<String, Object> user = Json.object(data.get("currentUser"));
    return user == null ? new Anonymous() : user(user);
  }

  private static Answer user(Map<String, Object> user) {
    if (!(user.get("_id") instanceof String id) || id.isEmpty()) {
      return new Nameless();
    }
    Object overrides = user.get("abTestOverrides");
    return new User(id, overrides == null || overrides == Json.NULL ? null : Json.write(overrides));
  }

  // A field that its reader may not see comes back as null beside an error that points at it.
  private static boolean hidesOverrides(List<?> errors) {
    for (Object each : errors) {
      Map<String, Object> error = Json.object(each);
      if (error != null
          && error.get("path") instanceof List<?> path
          && path.contains("abTestOverrides")) {
        Map<String, Object> extensions = Json.object(error.get("extensions"));
        Object code = extensions == null ? null : extensions.get("code");
        String message = error.get("message") instanceof String text ? text : "";
        if ("FORBIDDEN".equals(code)
            || "PERMISSION_DENIED".equals(code)
            || Words.mentionsAny(message, "permission", "forbidden", "not authorized")) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable Map<String, Object> member(
      @Nullable Map<String, Object> parent, String name) {
    return parent == null ? null : Json.object(parent.get(name));
  }
}
