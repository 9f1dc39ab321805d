package dev.syncguard.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A Firestore with no more than what all emulators have: ours, without what it tells those who look inside. */
final class OtherEmulator implements AutoCloseable {

  private final HttpServer server;
  private final String behind;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private OtherEmulator(HttpServer server, String behind) {
    this.server = server;
    this.behind = behind;
    server.setExecutor(threads);
    server.createContext("/", this::forward);
    server.start();
  }

  static OtherEmulator before(FirestoreServer firestore) {
    try {
      return new OtherEmulator(
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
          "http://" + firestore.emulatorHost());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().startsWith("/inspect/")) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      HttpResponse<byte[]> answer = http.send(
          HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI()))
              .header("authorization", "Bearer owner")
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body))
              .build(),
          BodyHandlers.ofByteArray());
      exchange.getResponseHeaders().set("content-type", "application/json");
      exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
