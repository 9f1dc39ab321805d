package dev.syncguard.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.Telemetry;
import java.util.Optional;
import java.util.function.Consumer;

/** What a person at the page does to the store, all of it told to telemetry. Thread-safe. */
final class Operator {

  private final LockBackend backend;
  private final boolean admin;
  private final int limit;

  Operator(
      LockBackend backend,
      boolean admin,
      int limit,
      Consumer<? super LockEvent> telemetry,
      History history,
      Time time) {
    this.admin = admin;
    this.limit = limit;
    this.backend = Telemetry.to((LockEvent event) -> {
          history.tell(ConsoleTelemetry.sent("this console", event, time.now().toEpochMilli()));
          telemetry.accept(event);
        })
        .deliverOn(Runnable::run)
        .over(backend);
  }

  /** Ends the lease on a key whose name was typed again, so that nobody ends the one in the row beside it. */
  ConsoleResponse release(JsonNode request) {
    if (!admin) {
      return ConsoleResponse.problem(
          403, "This console only looks. Start it with --admin to end leases of others.");
    }
    try {
      LockKey key = LockKey.of(request.path("name").asText());
      if (!key.hash().hex().equals(request.path("key").asText())) {
        return ConsoleResponse.problem(
            409, "That is the name of another key. Nothing was changed.");
      }
      Optional<LockInfoDebug> ended = backend.forceRelease(key, Cancellation.none());
      ObjectNode answer = JsonNodeFactory.instance.objectNode().put("released", ended.isPresent());
      ended.ifPresent(lease -> answer.put("fence", lease.fence().toString()));
      return ConsoleResponse.json(answer);
    } catch (LockException e) {
      int status = e.code() == LockException.Code.INVALID_ARGUMENT ? 400 : 502;
      return ConsoleResponse.problem(status, String.valueOf(e.getMessage()));
    }
  }

  /** Tells the name of one key that somebody holds, because a person at the page wants to know. */
  ConsoleResponse reveal(JsonNode request) {
    String hash = request.path("key").asText();
    try {
      return backend
          .listing()
          .flatMap(listing -> listing.liveRaw(limit, Cancellation.none()).stream()
              .filter(info -> info.key().hash().hex().equals(hash))
              .findFirst())
          .map(info -> ConsoleResponse.json(
              JsonNodeFactory.instance.objectNode().put("name", info.key().value())))
          .orElseGet(() -> ConsoleResponse.problem(409, "Nobody holds that key any more."));
    } catch (LockException e) {
      return ConsoleResponse.problem(502, String.valueOf(e.getMessage()));
    }
  }

  /** Tells the hash of a name, so that a person who knows a key finds its row. */
  static ConsoleResponse hash(JsonNode request) {
    try {
      LockKey key = LockKey.of(request.path("name").asText());
      return ConsoleResponse.json(
          JsonNodeFactory.instance.objectNode().put("key", key.hash().hex()));
    } catch (LockException e) {
      return ConsoleResponse.problem(400, String.valueOf(e.getMessage()));
    }
  }
}
