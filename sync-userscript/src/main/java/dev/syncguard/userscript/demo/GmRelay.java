package dev.syncguard.userscript.demo;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Sends the requests of the emulated {@code GM_xmlhttpRequest} on, as the browser extension would: a page may not talk to
 * another origin, an extension may. Talks to one server only.
 */
final class GmRelay {

  static final String PATH = "/__gm/";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI server;

  GmRelay(URI server) {
    this.server = server;
  }

  /** Answers a request for {@code /__gm/http/host:port/path?query}. */
  void handle(HttpExchange exchange) throws IOException {
    String rest = exchange.getRequestURI().toString().substring(PATH.length());
    URI target = URI.create(rest.replaceFirst("/", "://"));
    if (!server.getAuthority().equals(target.getAuthority())) {
      Replies.send(exchange, 403, "text/plain", "This relay talks to one Firestore only.");
      return;
    }
    var request = HttpRequest.newBuilder(target)
        .timeout(Duration.ofSeconds(30))
        .header("Content-Type", "application/json")
        .method(
            exchange.getRequestMethod(),
            HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
        .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      response
          .headers()
          .firstValue("date")
          .ifPresent(date -> exchange.getResponseHeaders().set("X-Date", date));
      Replies.send(exchange, response.statusCode(), "application/json", response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The relay was stopped", e);
    }
  }
}
