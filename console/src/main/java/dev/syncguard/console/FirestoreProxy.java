package dev.syncguard.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** Hands the page's requests on to the Firestore, as its administrator. Thread-safe. */
final class FirestoreProxy {

  private static final Duration LONGEST = Duration.ofSeconds(60);
  /** All that the page needs; least of all what stops the server. */
  private static final List<String> BELOW =
      List.of("/v1/projects/", "/emulator/v1/projects/", "/inspect/");

  private static final String ENDLESS = "/inspect/changes";

  private final URI address;

  /** Made when a page first asks. Most servers never see one, and a client brings hundreds of classes and all certificates. */
  private static final class Client {
    static final HttpClient HTTP = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(5))
        .build();
  }

  FirestoreProxy(URI address) {
    this.address = address;
  }

  String authority() {
    return address.getAuthority();
  }

  private static HttpRequest.Builder request(URI target) {
    return HttpRequest.newBuilder(target)
        .header("authorization", "Bearer owner")
        // What the page asks for would drown what it is to show.
        .header("x-syncguard-unlogged", "true");
  }

  /** Opens the stream of changes, which has no end. */
  HttpResponse<InputStream> changes() throws IOException, InterruptedException {
    URI target = URI.create("http://" + address.getAuthority() + ENDLESS);
    return Client.HTTP.send(request(target).build(), BodyHandlers.ofInputStream());
  }

  ConsoleResponse forward(ConsoleRequest request, String path) {
    if (BELOW.stream().noneMatch(path::startsWith)
        || path.contains("/../")
        || path.equals(ENDLESS)) {
      return ConsoleResponse.problem(404, "There is nothing at this address.");
    }
    URI target = URI.create("http://" + address.getAuthority() + path
        + (request.query().isEmpty() ? "" : "?" + request.query()));
    HttpRequest forwarded = request(target)
        .timeout(LONGEST)
        .header("content-type", "application/json")
        .method(request.method(), BodyPublishers.ofByteArray(request.body()))
        .build();
    try {
      HttpResponse<byte[]> answer = Client.HTTP.send(forwarded, BodyHandlers.ofByteArray());
      String type = answer.headers().firstValue("content-type").orElse("application/json");
      return ConsoleResponse.of(answer.statusCode(), type, answer.body());
    } catch (IOException e) {
      return ConsoleResponse.problem(
          502, "The Firestore at " + address.getAuthority() + " does not answer.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ConsoleResponse.problem(503, "The console is being closed.");
    }
  }
}
