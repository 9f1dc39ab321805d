package dev.syncguard.benchmarks.sync;

import dev.syncguard.sync.Http;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The one document of a reader, as little of a server as the engine can tell from a real one, and what was asked of it.
 * Not thread-safe.
 */
final class CountingFirestore implements Http {

  private static final String FIELDS = "\"fields\":";
  private static final String TOKEN = "\"updateTime\":\"";

  private final VirtualTime time;
  private String fields = "";
  private long version;
  int reads;
  int probes;
  int writes;
  long bytesDown;
  long bytesUp;

  CountingFirestore(VirtualTime time) {
    this.time = time;
  }

  void forgetCounts() {
    reads = 0;
    probes = 0;
    writes = 0;
    bytesDown = 0;
    bytesUp = 0;
  }

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    String body = request.body();
    String answer = body == null ? read(request.url().contains("mask.fieldPaths")) : write(body);
    int status = answer.isEmpty() ? 404 : answer.startsWith("{\"error\"") ? 400 : 200;
    String text = answer.isEmpty()
        ? "{\"error\":{\"code\":404,\"message\":\"none\",\"status\":\"NOT_FOUND\"}}"
        : answer;
    bytesUp += request.url().length() + (body == null ? 0 : bytes(body));
    bytesDown += bytes(text);
    time.after(50, () -> callback.accept(new Answer(status, text, null)));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private String read(boolean masked) {
    if (masked) {
      probes++;
    } else {
      reads++;
    }
    if (fields.isEmpty()) {
      return "";
    }
    String shown = masked
        ? "{\"schemaVersion\":{\"integerValue\":\"1\"},\"site\":{\"stringValue\":\"lw\"}}"
        : fields;
    return "{\"name\":\"document\"," + FIELDS + shown + ",\"createTime\":\"" + token(1) + "\","
        + TOKEN + token(version) + "\"}";
  }

  private String write(String body) {
    writes++;
    int condition = body.lastIndexOf(TOKEN);
    boolean current =
        condition < 0 ? version == 0 : body.startsWith(token(version), condition + TOKEN.length());
    if (!current) {
      return "{\"error\":{\"code\":400,\"message\":\"stale\",\"status\":\"FAILED_PRECONDITION\"}}";
    }
    version++;
    fields = object(body, body.indexOf(FIELDS) + FIELDS.length());
    return "{\"writeResults\":[{" + TOKEN + token(version) + "\"}]}";
  }

  /** Returns the JSON object that starts there. */
  private static String object(String json, int start) {
    int depth = 0;
    boolean quoted = false;
    for (int i = start; ; i++) {
      char c = json.charAt(i);
      if (c == '"' && json.charAt(i - 1) != '\\') {
        quoted = !quoted;
      } else if (!quoted && c == '{') {
        depth++;
      } else if (!quoted && c == '}' && --depth == 0) {
        return json.substring(start, i + 1);
      }
    }
  }

  private static String token(long version) {
    return String.format("2026-01-01T00:00:00.%06dZ", version);
  }
}
