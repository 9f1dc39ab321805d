package dev.syncguard.firestore.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where a browser gets its pages from, and where they report: it goes from run to run by itself. */
final class SdkPages implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a scenario came to; no failure is an empty one. */
  record Report(String run, String scenario, String failure) {
    boolean isEnd() {
      return scenario.equals("the end");
    }
  }

  private final HttpServer http;
  private final Path scripts;
  private final Map<String, SdkRun> runs;
  private final Queue<String> urls;
  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();

  SdkPages(Path scripts, List<SdkRun> runs) throws IOException {
    this.scripts = scripts;
    this.runs = runs.stream().collect(Collectors.toMap(SdkRun::name, Function.identity()));
    this.urls = new ArrayDeque<>(runs.stream().map(SdkRun::url).toList());
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    http.setExecutor(Executors.newCachedThreadPool(task -> {
      Thread thread = new Thread(task, "sdk-pages");
      thread.setDaemon(true);
      return thread;
    }));
    http.createContext("/", this::answer);
    http.start();
  }

  /** Returns where a browser begins. */
  String start() {
    return "http://localhost:" + http.getAddress().getPort() + next();
  }

  BlockingQueue<Report> reports() {
    return reports;
  }

  private synchronized String next() {
    String url = urls.poll();
    return url == null ? "" : url;
  }

  private void answer(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    try {
      switch (uri.getPath()) {
        case "/report" -> send(exchange, 200, "text/plain", report(JSON.readTree(body)));
        case "/control" -> {
          Map<String, String> order = query(uri);
          Objects.requireNonNull(runs.get(order.get("run")))
              .obey(Objects.requireNonNull(order.get("order")));
          send(exchange, 200, "text/plain", "done");
        }
        default -> sendPage(exchange, uri.getPath());
      }
    } catch (RuntimeException e) {
      send(exchange, 500, "text/plain", e.toString());
    }
  }

  private String report(JsonNode result) {
    Report report = new Report(
        result.get("run").asText(),
        result.get("name").asText(),
        result.get("failure").asText());
    reports.add(report);
    return report.isEnd() ? next() : "";
  }

  private static Map<String, String> query(URI uri) {
    return Arrays.stream(uri.getQuery().split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  private void sendPage(HttpExchange exchange, String path) throws IOException {
    String name = path.substring(1).replaceAll("\\.(html|js)$", "");
    if (!name.matches("page-[0-9]+")) {
      send(exchange, 404, "text/plain", "none");
    } else if (path.endsWith(".js")) {
      send(exchange, 200, "text/javascript", Files.readString(scripts.resolve(path.substring(1))));
    } else {
      send(
          exchange,
          200,
          "text/html",
          "<!doctype html><meta charset=utf-8><title>SDK</title><body><script src=/" + name
              + ".js></script>");
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
