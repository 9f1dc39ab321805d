package dev.syncguard.firestore.server.export;

import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** Asks a server to export and import as the tools of Firebase do. */
record EndpointClient(FirestoreServer server) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  record Answer(int status, String body) {}

  Answer post(String verb, String body) throws Exception {
    return send("POST", "/emulator/v1/projects/p" + verb, body, "");
  }

  Answer send(String method, String path, String body, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + path))
        .method(method, BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    var response = HTTP.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  String exportOf(Path directory, String name) {
    return "{\"database\": \"projects/p/databases/(default)\", \"export_directory\": \"" + directory
        + "\", \"export_name\": \"" + name + "\"}";
  }

  /** @param directory what the tools have exported to */
  String importOf(Path directory) {
    return "{\"database\": \"projects/p/databases/(default)\", \"export_directory\": \"" + directory
        + "/firestore_export/firestore_export.overall_export_metadata\"}";
  }
}
