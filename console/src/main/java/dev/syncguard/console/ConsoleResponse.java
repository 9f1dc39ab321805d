package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the {@link Console} answers, for a web server to send. Immutable.
 *
 * @param status the HTTP status
 * @param headers all headers but the length
 * @param body the body, or its beginning if there is more
 * @param rest what follows the body for as long as the client stays, if the answer has no end
 */
@SuppressWarnings(
    "ArrayRecordComponent") // Nobody compares them, and a copy of a large body is dear.
public record ConsoleResponse(
    int status, Map<String, String> headers, byte[] body, Optional<Rest> rest) {

  /** The part of an answer that has no end. */
  @FunctionalInterface
  public interface Rest {
    /** Writes and flushes, blocking its thread, until the console is closed or the client is gone. */
    void writeTo(OutputStream out) throws IOException;
  }

  private static final Map<String, String> ALWAYS = Map.of(
      "cache-control", "no-store",
      "cross-origin-opener-policy", "same-origin",
      "cross-origin-resource-policy", "same-origin",
      "referrer-policy", "no-referrer",
      "x-content-type-options", "nosniff",
      "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
              + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

  public ConsoleResponse {
    headers = Map.copyOf(headers);
  }

  static ConsoleResponse of(int status, String type, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>(ALWAYS);
    headers.put("content-type", type);
    return new ConsoleResponse(status, headers, body, Optional.empty());
  }

  static ConsoleResponse json(JsonNode node) {
    return of(200, "application/json", node.toString().getBytes(UTF_8));
  }

  /** Returns lines of JSON without an end. */
  static ConsoleResponse lines(Rest rest) {
    ConsoleResponse begun = of(200, "application/x-ndjson", new byte[0]);
    return new ConsoleResponse(begun.status, begun.headers, begun.body, Optional.of(rest));
  }

  /** Returns a refusal with words that the page shows. */
  static ConsoleResponse problem(int status, String message) {
    JsonNode node = JsonNodeFactory.instance.objectNode().put("error", message);
    return of(status, "application/json", node.toString().getBytes(UTF_8));
  }
}
