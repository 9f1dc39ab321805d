import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** The server alone, over REST, without any client of Google's. */
final class Main {
  public static void main(String[] args) throws Exception {
    try (var server = FirestoreServer.builder().start()) {
      URI document = URI.create("http://" + server.emulatorHost()
          + "/v1/projects/demo/databases/(default)/documents/towns/ulm");
      var http = HttpClient.newHttpClient();
      var written = http.send(
          HttpRequest.newBuilder(document)
              .header("Authorization", "Bearer owner")
              .header("Content-Type", "application/json")
              .method("PATCH", BodyPublishers.ofString("{\"fields\":{\"river\":{\"stringValue\":\"Danube\"}}}"))
              .build(),
          BodyHandlers.ofString());
      var read = http.send(
          HttpRequest.newBuilder(document).header("Authorization", "Bearer owner").build(), BodyHandlers.ofString());
      System.out.println(read.body().contains("Danube") ? "works" : written.body() + read.body());
    }
  }
}
