package dev.syncguard.firestore.server.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.firestore.v1.Document;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** An event in the terms of CloudEvents 1.0, with the attributes and the data that Eventarc gives it. */
final class CloudEvent {
  static final String PROTOBUF = "application/protobuf";

  /** The fields of {@code google.events.cloud.firestore.v1.DocumentEventData}, of which no class is published. */
  private static final int NEW_VALUE = 1;

  private static final int OLD_VALUE = 2;

  /** Every event of Eventarc comes from somewhere; the official emulator says this, too. */
  private static final String LOCATION = "us-central1";

  private CloudEvent() {}

  /** @param type that of the trigger, in the words of CloudEvents */
  static Map<String, String> attributes(DocumentEvent event, String type) {
    String database = event.name().database().toString();
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", event.id());
    attributes.put("type", type);
    attributes.put("source", "//firestore.googleapis.com/" + database);
    attributes.put("subject", "documents/" + event.name().path());
    attributes.put("time", event.time().toString());
    attributes.put(
        "dataschema",
        "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto");
    attributes.put("location", LOCATION);
    attributes.put("project", event.name().database().project());
    attributes.put("database", event.name().database().database());
    attributes.put("namespace", "(default)");
    attributes.put("document", event.name().path());
    return attributes;
  }

  /**
   * Returns a value as a header can carry it: bytes for which HTTP has no place are escaped, as CloudEvents say.
   *
   * @param more characters that are escaped, too
   */
  static String header(String value, String more) {
    StringBuilder text = new StringBuilder();
    for (byte b : value.getBytes(UTF_8)) {
      if (b < ' ' || b > '~' || more.indexOf(b) >= 0) {
        text.append(String.format("%%%02X", b));
      } else {
        text.append((char) b);
      }
    }
    return text.toString();
  }

  /** Returns the data as protobuf. */
  static byte[] data(DocumentEvent event) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    write(out, NEW_VALUE, event.after());
    write(out, OLD_VALUE, event.before());
    out.flush();
    return bytes.toByteArray();
  }

  private static void write(CodedOutputStream out, int field, Optional<Document> document)
      throws IOException {
    if (document.isPresent()) {
      out.writeMessage(field, document.get());
    }
  }

  /** Returns attributes and data as one object of JSON. */
  static String json(
      DocumentEvent event, Map<String, String> attributes, JsonFormat.Printer printer)
      throws InvalidProtocolBufferException {
    JsonObject root = new JsonObject();
    attributes.forEach(root::addProperty);
    root.addProperty("datacontenttype", "application/json");
    root.add("data", jsonData(event, printer));
    return root.toString();
  }

  /** Returns the data as JSON. */
  static JsonObject jsonData(DocumentEvent event, JsonFormat.Printer printer)
      throws InvalidProtocolBufferException {
    JsonObject data = new JsonObject();
    if (event.after().isPresent()) {
      data.add("value", JsonParser.parseString(printer.print(event.after().get())));
    }
    if (event.before().isPresent()) {
      data.add("oldValue", JsonParser.parseString(printer.print(event.before().get())));
    }
    return data;
  }
}
