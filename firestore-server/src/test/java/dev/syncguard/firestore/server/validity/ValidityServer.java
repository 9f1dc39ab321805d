package dev.syncguard.firestore.server.validity;

import static dev.syncguard.firestore.server.query.QueryDsl.ROOT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server with the documents that the rows of the table speak of. */
public final class ValidityServer implements AutoCloseable {
  /** Values of field {@code a} in collection {@code values}, one document each. */
  private static final Map<String, String> VALUES = Map.of(
      "one", "{'integerValue':'1'}",
      "one-double", "{'doubleValue':1.0}",
      "two", "{'integerValue':'2'}",
      "zero", "{'doubleValue':'-0.0'}",
      "nan", "{'doubleValue':'NaN'}",
      "null", "{'nullValue':null}",
      "text", "{'stringValue':'x'}",
      "list", "{'arrayValue':{'values':[{'integerValue':'1'},{'integerValue':'2'}]}}",
      "list-null", "{'arrayValue':{'values':[{'nullValue':null},{'integerValue':'1'}]}}");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final FirestoreServer server = FirestoreServer.builder().start();

  private final List<String> begun = new ArrayList<>();

  /** What a server says: a status, and the message of an error or what was found. */
  public record Answer(int http, Code status, String words) {}

  public ValidityServer() throws IOException, InterruptedException {
    for (Map.Entry<String, String> value : VALUES.entrySet()) {
      write("values/" + value.getKey(), "'a':" + value.getValue());
    }
    write("values/without", "'b':{'stringValue':'z'}");
    write("there/d", "'n':{'integerValue':'1'},'s':{'stringValue':'x'}");
    write("above/missing/below/d", "");
  }

  private void write(String path, String fields) throws IOException, InterruptedException {
    String body = ("{'fields':{" + fields + "}}").replace('\'', '"');
    send("PATCH", "/v1/" + ROOT + "/" + path, body);
  }

  public Answer ask(ValidityRow row) throws IOException, InterruptedException {
    String body = row.body();
    for (String kind : List.of("readOnly", "readWrite", "finished")) {
      String placeholder = "{" + kind + "}";
      if (body.contains(placeholder)) {
        body = body.replace(placeholder, begin(kind));
      }
    }
    HttpResponse<String> answer = send(row.method(), row.path(), body);
    for (String id : begun) {
      send("POST", "/v1/" + ROOT + ":rollback", "{\"transaction\":\"" + id + "\"}");
    }
    begun.clear();
    if (answer.statusCode() == 200) {
      return new Answer(200, Code.OK, found(JSON.readTree(answer.body())));
    }
    JsonNode error = JSON.readTree(answer.body()).path("error");
    return new Answer(
        answer.statusCode(),
        Code.valueOf(error.path("status").asText()),
        error.path("message").asText());
  }

  /** Returns a transaction in the state that the name says. */
  private String begin(String kind) throws IOException, InterruptedException {
    String options = kind.equals("finished") ? "{}" : "{\"options\":{\"" + kind + "\":{}}}";
    String answer = send("POST", "/v1/" + ROOT + ":beginTransaction", options).body();
    String id = JSON.readTree(answer).path("transaction").asText();
    begun.add(id);
    if (kind.equals("finished")) {
      send("POST", "/v1/" + ROOT + ":commit", "{\"transaction\":\"" + id + "\"}");
    }
    return id;
  }

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost() + path))
            .header("Authorization", "Bearer owner")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** Returns what an answer has in it: ids of documents, results of an aggregation, or nothing. */
  private static String found(JsonNode body) {
    List<String> found = new ArrayList<>();
    for (JsonNode message : body.isArray() ? body : body.path("documents")) {
      JsonNode document = message.has("document") ? message.path("document") : message;
      if (document.has("name")) {
        String name = document.path("name").asText();
        found.add(name.substring(name.lastIndexOf('/') + 1));
      }
      message
          .at("/result/aggregateFields")
          .properties()
          .forEach(field -> found.add(field.getKey() + " = " + only(field.getValue())));
    }
    return "finds " + (found.isEmpty() ? "nothing" : String.join(", ", found));
  }

  private static String only(JsonNode value) {
    return value.elements().next().asText();
  }

  @Override
  public void close() {
    server.close();
  }
}
