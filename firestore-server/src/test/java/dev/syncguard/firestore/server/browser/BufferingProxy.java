package dev.syncguard.firestore.server.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;

/** A proxy as some companies and virus scanners have it: an answer goes on to the browser when all of it is there. */
final class BufferingProxy implements Network {
  private static final Set<String> OF_ONE_CONNECTION = Set.of(
      "connection",
      "content-length",
      "expect",
      "host",
      "keep-alive",
      "transfer-encoding",
      "upgrade");

  private final HttpServer http;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int server;

  BufferingProxy(int server) throws IOException {
    this.server = server;
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    http.setExecutor(Executors.newCachedThreadPool(task -> {
      Thread thread = new Thread(task, "buffering-proxy");
      thread.setDaemon(true);
      return thread;
    }));
    http.createContext("/", this::pass);
    http.start();
  }

  @Override
  public String address() {
    return "127.0.0.1:" + http.getAddress().getPort();
  }

  private void pass(HttpExchange exchange) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server + exchange.getRequestURI()))
        .method(
            exchange.getRequestMethod(),
            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    exchange.getRequestHeaders().forEach((name, values) -> {
      if (!OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
        values.forEach(value -> request.header(name, value));
      }
    });
    try (exchange) {
      Thread.sleep(5); // a network so fast that it takes no time keeps the SDK from looking
      HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
      answer.headers().map().forEach((name, values) -> {
        if (!name.startsWith(":") && !OF_ONE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
          values.forEach(value -> exchange.getResponseHeaders().add(name, value));
        }
      });
      byte[] body = answer.body();
      exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void cut() {
    throw new UnsupportedOperationException("This one does not break");
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
