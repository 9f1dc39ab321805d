package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.console.Changes.Subscription;
import dev.syncguard.console.Changes.Topic;
import dev.syncguard.lock.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds the answer to a request that passed the gate. Thread-safe. */
final class Routes {

  static final String TELEMETRY = "/telemetry";

  private static final String FIRESTORE = "/api/firestore/";
  private static final int MOST_TIMELINE_KEYS = 200;
  private static final long BETWEEN_LINES_MS = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Assets assets;
  private final Optional<StoreWatch> store;
  private final Optional<Operator> operator;
  private final History history;
  private final Optional<FirestoreProxy> firestore;
  private final Changes changes;
  private final Settings settings;
  private final Time time;

  /** What the page has to know before it asks for anything. */
  record Settings(boolean admin, String store, String project) {}

  Routes(
      Assets assets,
      Optional<StoreWatch> store,
      Optional<Operator> operator,
      History history,
      Optional<FirestoreProxy> firestore,
      Changes changes,
      Settings settings,
      Time time) {
    this.assets = assets;
    this.store = store;
    this.operator = operator;
    this.history = history;
    this.firestore = firestore;
    this.changes = changes;
    this.settings = settings;
    this.time = time;
  }

  ConsoleResponse answer(ConsoleRequest request) {
    try {
      return found(request)
          .orElseGet(() -> ConsoleResponse.problem(404, "There is nothing at this address."));
    } catch (IOException | IllegalArgumentException e) {
      return ConsoleResponse.problem(400, "The request cannot be read.");
    } catch (RuntimeException e) {
      System.getLogger(Routes.class.getName())
          .log(System.Logger.Level.WARNING, () -> "The console failed to answer", e);
      return ConsoleResponse.problem(500, "The console failed; its log says why.");
    }
  }

  private Optional<ConsoleResponse> found(ConsoleRequest request) throws IOException {
    if (request.path().startsWith(FIRESTORE)) {
      String below = request.path().substring(FIRESTORE.length() - 1);
      return firestore.map(proxy -> proxy.forward(request, below));
    }
    return switch (request.method()) {
      case "GET", "HEAD" -> shown(request);
      case "POST" -> done(request);
      default -> Optional.empty();
    };
  }

  private Optional<ConsoleResponse> shown(ConsoleRequest request) {
    return switch (request.path()) {
      case "/api/about" -> Optional.of(ConsoleResponse.json(about()));
      case "/api/locks" -> store.map(watch -> locks(watch, request));
      case "/api/timeline" ->
        Optional.of(ConsoleResponse.json(history.timeline(MOST_TIMELINE_KEYS)));
      case "/api/key" -> request.parameter("hash").flatMap(history::of).map(ConsoleResponse::json);
      case "/api/waits" -> Optional.of(ConsoleResponse.json(history.waits()));
      case "/api/changes" -> Optional.of(changes());
      case "/api/times" -> Optional.of(ConsoleResponse.json(history.histograms()));
      default -> assets.find(request.path());
    };
  }

  private Optional<ConsoleResponse> done(ConsoleRequest request) throws IOException {
    JsonNode body = JSON.readTree(request.body());
    return switch (request.path()) {
      case "/api/release" -> operator.map(person -> person.release(body));
      case "/api/reveal" -> operator.map(person -> person.reveal(body));
      case "/api/hash" -> Optional.of(Operator.hash(body));
      case TELEMETRY -> {
        SentEvent.parse(body, time.now().toEpochMilli()).forEach(history::tell);
        changes.tell(List.of(Topic.HISTORY, Topic.LOCKS));
        yield Optional.of(ConsoleResponse.json(JsonNodeFactory.instance.objectNode()));
      }
      default -> Optional.empty();
    };
  }

  private ConsoleResponse locks(StoreWatch watch, ConsoleRequest request) {
    long known = request.parameter("after").map(Long::parseLong).orElse(0L);
    ObjectNode node = watch.changesSince(known);
    node.set("waiters", history.waiters());
    node.set("holders", history.holders());
    return ConsoleResponse.json(node);
  }

  private ConsoleResponse changes() {
    return changes
        .subscribe()
        .map(page -> ConsoleResponse.lines(out -> write(page, out)))
        .orElseGet(() -> ConsoleResponse.problem(
            503, "So many pages are told of changes already that this one has to poll."));
  }

  private static void write(Subscription page, OutputStream out) throws IOException {
    try (page) {
      for (Optional<String> line = page.next(); line.isPresent(); line = page.next()) {
        out.write((line.get() + "\n").getBytes(UTF_8));
        out.flush();
        // What happens within a moment is told in one line.
        TimeUnit.MILLISECONDS.sleep(BETWEEN_LINES_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ObjectNode about() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("admin", settings.admin());
    if (store.isPresent()) {
      node.put("store", settings.store());
    }
    firestore.ifPresent(
        proxy -> node.put("firestore", proxy.authority()).put("project", settings.project()));
    return node;
  }
}
