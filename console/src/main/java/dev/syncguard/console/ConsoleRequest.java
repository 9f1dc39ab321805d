package dev.syncguard.console;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a web server hands to the {@link Console}, whichever server it is. Immutable.
 *
 * @param method the HTTP method, in capitals
 * @param path the path below the one that the console is mounted at, beginning with a slash, percent-encoded as it was sent
 * @param query the part behind the question mark, as it was sent, or empty
 * @param headers the headers, with names in lower case
 * @param body the body, or no bytes
 */
@SuppressWarnings(
    "ArrayRecordComponent") // Nobody compares them, and a copy of a large body is dear.
public record ConsoleRequest(
    String method, String path, String query, Map<String, String> headers, byte[] body) {

  public ConsoleRequest {
    headers = Map.copyOf(headers);
  }

  /** Returns the same with a body. */
  ConsoleRequest with(byte[] content) {
    return new ConsoleRequest(method, path, query, headers, content);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns a parameter that needs no decoding: numbers and hashes. */
  Optional<String> parameter(String name) {
    for (String part : query.split("&", -1)) {
      if (part.startsWith(name + "=")) {
        return Optional.of(part.substring(name.length() + 1));
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return "ConsoleRequest[" + method + "]"; // The rest may hold the token, keys and documents.
  }
}
