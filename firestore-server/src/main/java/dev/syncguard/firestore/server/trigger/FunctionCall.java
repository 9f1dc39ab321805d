package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/**
 * Runs a function in the functions emulator of Firebase's tools, as the official emulator does: any answer means that the
 * function was run, also that it has failed, since functions are not retried unless they ask for it. Only what gets no answer
 * is sent again. Thread-safe.
 */
final class FunctionCall implements TriggerListener {
  /** Longer than a function of an event may run. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final int NOT_FOUND = 404;
  private static final HttpClient HTTP = HttpClient.newBuilder()
      .connectTimeout(Duration.ofSeconds(30))
      .version(HttpClient.Version.HTTP_1_1)
      .build();

  /** What a function is given. */
  enum Generation {
    /** The documents and their circumstances as JSON. */
    FIRST,
    /** A binary CloudEvent; the functions emulator expects its body in Base64. */
    SECOND
  }

  private final URI address;
  private final Generation generation;
  private final String type;
  private final Runnable whenGone;

  /** @param whenGone is called when the functions emulator says that it no longer has the function */
  FunctionCall(URI address, Generation generation, String type, Runnable whenGone) {
    this.address = address;
    this.generation = generation;
    this.type = type;
    this.whenGone = whenGone;
  }

  @Override
  public void handle(DocumentEvent event) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    if (generation == Generation.FIRST) {
      request
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString(firstGeneration(event), UTF_8));
    } else {
      Map<String, String> attributes = CloudEvent.attributes(event, type);
      attributes.put("datacontenttype", CloudEvent.PROTOBUF);
      if (type.endsWith(".withAuthContext")) {
        attributes.put(
            "authtype", "unknown"); // as the official emulator says; commits have no names
      }
      // The libraries of functions undo no escapes, so there are as few as possible.
      attributes.forEach(
          (name, value) -> request.header("ce-" + name, CloudEvent.header(value, "")));
      request
          .header("Content-Type", CloudEvent.PROTOBUF)
          .POST(BodyPublishers.ofByteArray(Base64.getEncoder().encode(CloudEvent.data(event))));
    }
    if (WholeAnswer.status(HTTP, request.build(), PATIENCE) == NOT_FOUND) {
      whenGone.run();
    }
  }

  private String firstGeneration(DocumentEvent event) throws IOException {
    JsonObject data =
        CloudEvent.jsonData(event, JsonFormat.printer().omittingInsignificantWhitespace());
    data.add("updateMask", new JsonObject());
    JsonObject resource = new JsonObject();
    resource.addProperty("name", event.name().toString());
    resource.addProperty("service", "firestore.googleapis.com");
    JsonObject context = new JsonObject();
    context.addProperty("eventId", event.id());
    context.addProperty("timestamp", event.time().toString());
    context.addProperty("eventType", type);
    context.add("resource", resource);
    JsonObject root = new JsonObject();
    root.add("data", data);
    root.add("context", context);
    return root.toString();
  }
}
