package dev.syncguard.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.LockEvent.Outcome;
import dev.syncguard.lock.telemetry.LockEvent.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An operation that a process tells us of.
 *
 * @param process what the process calls itself
 * @param at when the operation was done, in milliseconds
 * @param tookMs how long it took
 * @param key the hash of the key, if the operation had one
 * @param id the hash of the lock id, if the operation had one
 */
record SentEvent(
    String process,
    long at,
    long tookMs,
    LockEvent.Type type,
    Outcome outcome,
    Optional<Reason> reason,
    Optional<String> key,
    Optional<String> id) {

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{24}");
  private static final int LONGEST_NAME = 80;

  /**
   * Reads what {@link ConsoleTelemetry} sends. Throws IllegalArgumentException if it is something else.
   *
   * @param now our clock, which is the sender's as well; what lies ahead of it or before the last hour never happened
   */
  static List<SentEvent> parse(JsonNode batch, long now) {
    String process = batch.path("process").asText();
    if (process.isEmpty() || process.length() > LONGEST_NAME) {
      throw new IllegalArgumentException("A process says its name in 1 to 80 characters");
    }
    List<SentEvent> events = new ArrayList<>();
    for (JsonNode event : batch.path("events")) {
      events.add(new SentEvent(
          process,
          within(event.path("at").asLong(), now - History.KEPT_MS, now),
          within(event.path("tookMs").asLong(), 0, History.KEPT_MS),
          LockEvent.Type.valueOf(event.path("type").asText()),
          Outcome.valueOf(event.path("outcome").asText()),
          Optional.of(event.path("reason").asText())
              .filter(word -> !word.isEmpty())
              .map(Reason::valueOf),
          hash(event.path("key")),
          hash(event.path("id"))));
    }
    return events;
  }

  private static long within(long value, long least, long most) {
    return Math.max(least, Math.min(most, value));
  }

  private static Optional<String> hash(JsonNode node) {
    return node.isTextual() && HASH.matcher(node.asText()).matches()
        ? Optional.of(node.asText())
        : Optional.empty();
  }
}
