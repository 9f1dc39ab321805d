package dev.syncguard.lock.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real Prometheus that scrapes one application and knows our alerts. */
final class Prometheus implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static Prometheus scraping(String target, Path directory) throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config, """
        global: {scrape_interval: 500ms, evaluation_interval: 500ms}
        rule_files: ['%s']
        scrape_configs:
          - {job_name: app, static_configs: [{targets: ['%s']}]}
        """.formatted(Monitoring.DIRECTORY.resolve("alerts.yml").toAbsolutePath(), target));
    int port = freePort();
    Process process = new ProcessBuilder(
            "prometheus",
            "--config.file=" + config,
            "--storage.tsdb.path=" + directory.resolve("data"),
            "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
    return new Prometheus(process, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns what an expression finds; nothing as long as Prometheus is not there yet. */
  JsonNode query(String expression) {
    return get("query?query=" + URLEncoder.encode(expression, UTF_8)).at("/data/result");
  }

  JsonNode rules() {
    return get("rules").at("/data/groups/0/rules");
  }

  private JsonNode get(String path) {
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
        .build();
    ObjectMapper json = new ObjectMapper();
    try {
      return json.readTree(
          http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (IOException e) {
      if (!process.isAlive()) {
        throw new UncheckedIOException("Prometheus has ended", e);
      }
      return json.createObjectNode();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
