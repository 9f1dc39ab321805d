package dev.syncguard.firestore.server.auth;

import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Somebody who uses a server over REST, with a token or without. In bodies, apostrophes stand for quotes. */
record RestClient(FirestoreServer server, String token) {
  static final String NAME = "projects/p/databases/(default)/documents";
  private static final String ROOT = "/v1/" + NAME;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  record Answer(int status, String body) {}

  static RestClient nobody(FirestoreServer server) {
    return new RestClient(server, "");
  }

  static RestClient owner(FirestoreServer server) {
    return new RestClient(server, "owner");
  }

  static RestClient user(FirestoreServer server, String claims) {
    return new RestClient(server, unsigned(claims));
  }

  /** Returns a token as the emulators make them: the claims are there, a signature is not. */
  static String unsigned(String claims) {
    return base64("{\"alg\":\"none\"}") + "." + base64(quoted(claims)) + ".";
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  /** Sends something about documents and returns the status. */
  int status(String method, String path, String body) throws Exception {
    return send(method, ROOT + path, quoted(body)).status();
  }

  int get(String path) throws Exception {
    return status("GET", path, "");
  }

  int set(String path, String fields) throws Exception {
    return status("PATCH", path, "{'fields':{" + fields + "}}");
  }

  int query(String query) throws Exception {
    return status("POST", ":runQuery", "{'structuredQuery':{" + query + "}}");
  }

  Answer documents(String method, String path, String body) throws Exception {
    return send(method, ROOT + path, quoted(body));
  }

  Answer send(String method, String url, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + url))
        .method(method, BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var response = HTTP.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }
}
