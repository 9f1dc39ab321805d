package dev.syncguard.sync.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * The part of Firestore's JSON that sync speaks. The server's own translation does more and takes ten times as long, which
 * would be most of a story; integration tests use that one.
 */
final class Wire {

  private Wire() {}

  /** Reads the body of a commit, which must be one conditional update. */
  static CommitRequest.Builder commit(String body) {
    JsonNode writes = Forum.read(body).path("writes");
    JsonNode write = writes.path(0);
    JsonNode condition = write.path("currentDocument");
    Violation.unless(
        writes.size() == 1
            && write.size() == (write.has("updateMask") ? 3 : 2)
            && write.has("update")
            && condition.size() == 1,
        "a commit is one conditional update",
        () -> body);
    Violation.unless(
        condition.has("updateTime")
            || (condition.has("exists") && !condition.get("exists").asBoolean()),
        "no blind overwrite",
        () -> body);
    Document.Builder update =
        Document.newBuilder().setName(write.get("update").get("name").asText());
    write
        .get("update")
        .get("fields")
        .properties()
        .forEach(field -> update.putFields(field.getKey(), value(field.getValue())));
    Precondition.Builder precondition = condition.has("updateTime")
        ? Precondition.newBuilder()
            .setUpdateTime(time(condition.get("updateTime").asText()))
        : Precondition.newBuilder().setExists(false);
    Write.Builder built = Write.newBuilder().setUpdate(update).setCurrentDocument(precondition);
    if (write.has("updateMask")) {
      Violation.unless(condition.has("updateTime"), "a part needs a whole", () -> body);
      write
          .get("updateMask")
          .get("fieldPaths")
          .forEach(path -> built.getUpdateMaskBuilder().addFieldPaths(path.asText()));
    }
    return CommitRequest.newBuilder().addWrites(built);
  }

  private static Value value(JsonNode json) {
    Map.Entry<String, JsonNode> typed = json.properties().iterator().next();
    JsonNode content = typed.getValue();
    Value.Builder value = Value.newBuilder();
    switch (typed.getKey()) {
      case "integerValue" -> value.setIntegerValue(Long.parseLong(content.asText()));
      case "stringValue" -> value.setStringValue(content.asText());
      case "timestampValue" -> value.setTimestampValue(time(content.asText()));
      case "mapValue" -> {
        MapValue.Builder map = value.getMapValueBuilder();
        content
            .path("fields")
            .properties()
            .forEach(field -> map.putFields(field.getKey(), value(field.getValue())));
      }
      default -> throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
    return value.build();
  }

  private static String text(Timestamp time) {
    return Moments.text(time);
  }

  private static Timestamp time(String text) {
    try {
      return Moments.timestamp(text);
    } catch (DateTimeParseException e) {
      throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
  }

  static String print(Document document) {
    StringBuilder out = new StringBuilder(512);
    quote(out.append("{\"name\":"), document.getName());
    if (document.getFieldsCount() > 0) {
      fields(out.append(",\"fields\":"), document.getFieldsMap());
    }
    return out.append(",\"createTime\":\"")
        .append(text(document.getCreateTime()))
        .append("\",\"updateTime\":\"")
        .append(text(document.getUpdateTime()))
        .append("\"}")
        .toString();
  }

  static String print(CommitResponse response) {
    return "{\"writeResults\":[{\"updateTime\":\""
        + text(response.getWriteResults(0).getUpdateTime())
        + "\"}],\"commitTime\":\""
        + text(response.getCommitTime())
        + "\"}";
  }

  private static void fields(StringBuilder out, Map<String, Value> fields) {
    char before = '{';
    for (Map.Entry<String, Value> field : fields.entrySet()) {
      quote(out.append(before), field.getKey());
      print(out.append(':'), field.getValue());
      before = ',';
    }
    out.append(before == '{' ? "{}" : "}");
  }

  private static void print(StringBuilder out, Value value) {
    switch (value.getValueTypeCase()) {
      case INTEGER_VALUE ->
        out.append("{\"integerValue\":\"").append(value.getIntegerValue()).append("\"}");
      case DOUBLE_VALUE ->
        out.append("{\"doubleValue\":").append(value.getDoubleValue()).append('}');
      case STRING_VALUE -> {
        quote(out.append("{\"stringValue\":"), value.getStringValue());
        out.append('}');
      }
      case TIMESTAMP_VALUE ->
        out.append("{\"timestampValue\":\"")
            .append(text(value.getTimestampValue()))
            .append("\"}");
      case MAP_VALUE -> {
        out.append("{\"mapValue\":{");
        if (value.getMapValue().getFieldsCount() > 0) {
          fields(out.append("\"fields\":"), value.getMapValue().getFieldsMap());
        }
        out.append("}}");
      }
      default ->
        throw new Violation(
            "nothing but known types is stored", value.getValueTypeCase().name());
    }
  }

  // Nobody in this world uses a name that needs more.
  private static void quote(StringBuilder out, String text) {
    out.append('"').append(text).append('"');
  }
}
