package dev.syncguard.sync;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.sync.text.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;

/** Our Firestore with the shipped rules and indexes, over real HTTP, on the clock of a world. */
@NullUnmarked
final class RealServer implements Http, AutoCloseable {

  static final String PROJECT = "demo";
  private static final Path SHIPPED = Path.of("firebase");
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  private final World world;
  private final FirestoreServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  /** The bodies of all commits, and which of them the server is still to answer. */
  final List<String> commits = new ArrayList<>();

  /** The addresses of all reads. */
  final List<String> reads = new ArrayList<>();

  /** How the server answered the commits. */
  final List<Integer> answers = new ArrayList<>();

  boolean losesReplies;

  RealServer(World world) throws IOException {
    this.world = world;
    this.server = FirestoreServer.builder()
        .rules(rules())
        .indexes(IndexFile.parse(indexes()))
        .time(() -> Instant.ofEpochMilli(world.trueMillis()))
        .start();
  }

  static String rules() throws IOException {
    return Files.readString(SHIPPED.resolve("firestore.rules"));
  }

  static String indexes() throws IOException {
    return Files.readString(SHIPPED.resolve("firestore.indexes.json"));
  }

  String endpoint() {
    return "http://" + server.emulatorHost() + "/v1";
  }

  World.Tab tab(World.Device device) {
    return tab(device, config().build());
  }

  World.Tab tab(World.Device device, SyncConfig config) {
    device.http = this;
    World.Tab tab = device.tab(config);
    tab.start();
    world.passSeconds(1);
    return tab;
  }

  SyncConfig.Builder config() {
    return config(Site.LESSWRONG);
  }

  SyncConfig.Builder config(Site site) {
    return SyncConfig.builder(site).project(PROJECT, "the-api-key").endpoint(endpoint());
  }

  /** Loads other rules, as an operator deploys them. */
  void deploy(String rules) {
    String body = "{\"rules\":{\"files\":[{\"content\":" + Json.write(rules) + "}]}}";
    HttpResponse<String> answer = exchange(HttpRequest.newBuilder(URI.create("http://"
            + server.emulatorHost() + "/emulator/v1/projects/" + PROJECT + ":securityRules"))
        .header("Authorization", "Bearer owner")
        .PUT(BodyPublishers.ofString(body))
        .build());
    if (answer.statusCode() != 200) {
      throw new AssertionError("The rules were not loaded: " + answer.body());
    }
  }

  /** Writes the operator's document, as the console does; without fields it is deleted. */
  void operatorSays(String fields) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(endpoint() + "/projects/"
            + PROJECT + "/databases/(default)/documents/pr_sync_v1/lw/operator/limits"))
        .header("Authorization", "Bearer owner");
    HttpResponse<String> answer = exchange(
        fields.isEmpty()
            ? request.DELETE().build()
            : request
                .method("PATCH", BodyPublishers.ofString("{\"fields\":{" + fields + "}}"))
                .build());
    if (answer.statusCode() != 200) {
      throw new AssertionError("The operator was not heard: " + answer.body());
    }
  }

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    if (request.url().endsWith(":commit") || request.url().contains(":commit?")) {
      commits.add(request.body());
    } else {
      reads.add(request.url());
    }
    HttpResponse<String> answer = ask(request.method().name(), request.url(), request.body());
    if (request.method() == Method.POST) {
      answers.add(answer.statusCode());
    }
    // The real header tells the time of this machine, which is not the world's.
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
        Instant.ofEpochMilli(world.trueMillis()).atZone(ZoneOffset.UTC));
    Reply reply = losesReplies
        ? new Failure(Cause.TIMEOUT)
        : new Answer(answer.statusCode(), answer.body(), date);
    world.schedule(20, () -> callback.accept(reply));
  }

  HttpResponse<String> ask(String method, String url, String body) {
    requireLoopback(url);
    return exchange(HttpRequest.newBuilder(URI.create(url))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build());
  }

  /** No test may ever reach the project of a real reader. */
  static void requireLoopback(String url) {
    String host = URI.create(url).getHost();
    if (host == null || !LOOPBACK.contains(host)) {
      throw new AssertionError("Tests may only talk to this machine");
    }
  }

  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
