package dev.syncguard.userscript;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is really stored, seen with the rights of the server's owner. */
final class Remote {

  private final HttpClient client = HttpClient.newHttpClient();
  private final String documents;

  Remote(String host) {
    documents =
        "http://" + host + "/v1/projects/" + World.PROJECT + "/databases/(default)/documents";
  }

  /** Returns the names of all nodes of a site. */
  List<String> nodes(String site) {
    List<String> names = new ArrayList<>();
    JsonArray found =
        send("GET", "/pr_sync_v1/" + site + "/nodes", null).getAsJsonArray("documents");
    if (found != null) {
      found.forEach(each -> {
        String name = each.getAsJsonObject().get("name").getAsString();
        names.add(name.substring(name.lastIndexOf('/') + 1));
      });
    }
    return names;
  }

  /** Returns the envelope of the only node of LessWrong. */
  Envelope envelope() {
    List<String> nodes = nodes("lw");
    if (nodes.size() != 1) {
      throw new AssertionError("One node expected, but there are " + nodes.size());
    }
    return envelope(nodes.get(0));
  }

  Envelope envelope(String node) {
    return new Envelope(send("GET", "/pr_sync_v1/lw/nodes/" + node, null));
  }

  /** Replaces a member of the envelope, past all rules. */
  void spoil(String node, String field, String value) {
    send(
        "PATCH",
        "/pr_sync_v1/lw/nodes/" + node + "?updateMask.fieldPaths=" + field,
        "{\"fields\":{\"" + field + "\":" + value + "}}");
  }

  private JsonObject send(String method, String path, @Nullable String body) {
    var request = HttpRequest.newBuilder(
            URI.create((documents + path).replace("(", "%28").replace(")", "%29")))
        .header("Authorization", "Bearer owner")
        .header("Content-Type", "application/json")
        .method(
            method,
            body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body))
        .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new AssertionError(
            method + " answered " + response.statusCode() + ": " + response.body());
      }
      return JsonParser.parseString(response.body()).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** One document. */
  record Envelope(JsonObject document) {

    Set<String> read() {
      JsonObject value = field("read")
          .getAsJsonObject("value")
          .getAsJsonObject("mapValue")
          .getAsJsonObject("fields");
      return value == null ? Set.of() : value.keySet();
    }

    String loadFrom() {
      JsonElement value = field("loadFrom").get("value");
      return value == null ? "" : value.getAsJsonObject().get("stringValue").getAsString();
    }

    int preference(String author) {
      return field("authorPrefs")
          .getAsJsonObject("value")
          .getAsJsonObject("mapValue")
          .getAsJsonObject("fields")
          .getAsJsonObject(author)
          .getAsJsonObject("mapValue")
          .getAsJsonObject("fields")
          .getAsJsonObject("v")
          .get("integerValue")
          .getAsInt();
    }

    int epoch(String field) {
      return field(field).getAsJsonObject("clearEpoch").get("integerValue").getAsInt();
    }

    private JsonObject field(String name) {
      return map(
          document.getAsJsonObject("fields").getAsJsonObject("fields").getAsJsonObject("mapValue"),
          name);
    }

    private static JsonObject map(JsonObject parent, String name) {
      return parent
          .getAsJsonObject("fields")
          .getAsJsonObject(name)
          .getAsJsonObject("mapValue")
          .getAsJsonObject("fields");
    }
  }
}
