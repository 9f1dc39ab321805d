package dev.syncguard.firestore.server.trigger;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Sends events to an address over HTTP, as CloudEvents 1.0. An event counts as handled when the answer is 2xx. Thread-safe.
 */
public final class Webhook implements TriggerListener {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final HttpClient HTTP = HttpClient.newBuilder()
      .connectTimeout(PATIENCE)
      .version(HttpClient.Version.HTTP_1_1)
      .build();

  /** What a receiver of CloudEvents takes for escapes, or for the end of a value. */
  private static final String RESERVED = " \"%";

  /** How an event becomes a request. */
  public enum Mode {
    /** As Eventarc sends it: attributes are headers, and the body is the message with the two documents, in protobuf. */
    BINARY,
    /** All of it in one object of JSON. */
    STRUCTURED
  }

  private final URI address;
  private final DocumentEvent.Kind kind;
  private final Mode mode;
  private final Duration patience;

  private Webhook(URI address, DocumentEvent.Kind kind, Mode mode, Duration patience) {
    this.address = address;
    this.kind = kind;
    this.mode = mode;
    this.patience = patience;
  }

  /**
   * Returns the webhook of an address on this machine: documents leave it only if somebody says so.
   *
   * @param kind that of the trigger, which is the type of the events it is sent
   */
  public static Webhook local(URI address, DocumentEvent.Kind kind, Mode mode) {
    Webhook webhook = anywhere(address, kind, mode);
    try {
      if (InetAddress.getByName(address.getHost()).isLoopbackAddress()) {
        return webhook;
      }
    } catch (UnknownHostException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "A webhook is on this machine unless you allow others: " + address.getHost());
  }

  /** Returns the webhook of any address. */
  public static Webhook anywhere(URI address, DocumentEvent.Kind kind, Mode mode) {
    if (address.getHost() == null
        || !("http".equals(address.getScheme()) || "https".equals(address.getScheme()))) {
      throw new IllegalArgumentException("A webhook is like http://127.0.0.1:5001/path");
    }
    return new Webhook(address, kind, Objects.requireNonNull(mode, "mode"), PATIENCE);
  }

  /** Returns the same webhook, which may take so long to answer. */
  Webhook waiting(Duration limit) {
    return new Webhook(address, kind, mode, limit);
  }

  String identity() {
    return mode + " " + address;
  }

  @Override
  public void handle(DocumentEvent event) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    Map<String, String> attributes = CloudEvent.attributes(event, kind.cloudEventType());
    if (mode == Mode.BINARY) {
      attributes.forEach(
          (name, value) -> request.header("ce-" + name, CloudEvent.header(value, RESERVED)));
      request
          .header("Content-Type", CloudEvent.PROTOBUF)
          .POST(BodyPublishers.ofByteArray(CloudEvent.data(event)));
    } else {
      request
          .header("Content-Type", "application/cloudevents+json; charset=utf-8")
          .POST(BodyPublishers.ofString(structured(event, attributes)));
    }
    int status = WholeAnswer.status(HTTP, request.build(), patience);
    if (status < 200 || status > 299) {
      throw new IOException("The webhook answered " + status);
    }
  }

  private static String structured(DocumentEvent event, Map<String, String> attributes)
      throws InvalidProtocolBufferException {
    return CloudEvent.json(
        event, attributes, JsonFormat.printer().omittingInsignificantWhitespace());
  }
}
