package dev.syncguard.firestore.server.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.syncguard.firestore.server.index.CompositeIndex;
import dev.syncguard.firestore.server.index.CompositeIndex.Field;
import dev.syncguard.firestore.server.index.CompositeIndex.Order;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Says how to get an index that is missing: where to click in production, and what to paste into the file of indexes. */
final class IndexSuggestion {
  private IndexSuggestion() {}

  static String of(DatabaseName database, CompositeIndex index) {
    List<Field> fields = index.fields();
    Field last = fields.get(fields.size() - 1);
    String paste = " For firestore.indexes.json: ";
    if (last.order() == Order.VECTOR) {
      return "Missing vector index configuration. Please create the required index with the"
          + " following gcloud command: " + command(database, index) + paste + composite(index);
    }
    String page = "The query requires an index. You can create it here:"
        + " https://console.firebase.google.com/v1/r/project/" + database.project()
        + "/firestore/indexes";
    return fields.size() == 1
        ? page + paste + override(index)
        : page + "?create_composite=" + link(database, index) + paste + composite(index);
  }

  private static ObjectNode composite(CompositeIndex index) {
    ObjectNode file = JsonNodeFactory.instance.objectNode();
    ObjectNode entry = file.putArray("indexes").addObject();
    entry.put("collectionGroup", index.collectionId()).put("queryScope", scope(index.group()));
    ArrayNode fields = entry.putArray("fields");
    for (Field field : index.fields()) {
      ObjectNode node = fields.addObject().put("fieldPath", field.path().canonical());
      if (field.order() == Order.VECTOR) {
        node.putObject("vectorConfig").put("dimension", field.dimension()).putObject("flat");
      } else {
        putOrder(node, field.order());
      }
    }
    return file;
  }

  /** An override replaces the automatic indexes, so it repeats them. */
  private static ObjectNode override(CompositeIndex index) {
    Field field = index.fields().get(0);
    ObjectNode file = JsonNodeFactory.instance.objectNode();
    ObjectNode entry = file.putArray("fieldOverrides").addObject();
    entry
        .put("collectionGroup", index.collectionId())
        .put("fieldPath", field.path().canonical());
    ArrayNode indexes = entry.putArray("indexes");
    for (Order order : List.of(Order.ASCENDING, Order.DESCENDING, Order.CONTAINS)) {
      putOrder(indexes.addObject(), order).put("queryScope", scope(false));
    }
    if (index.group()) {
      putOrder(indexes.addObject(), field.order()).put("queryScope", scope(true));
    }
    return file;
  }

  private static ObjectNode putOrder(ObjectNode node, Order order) {
    return order == Order.CONTAINS
        ? node.put("arrayConfig", "CONTAINS")
        : node.put("order", order.name());
  }

  private static String scope(boolean group) {
    return group ? "COLLECTION_GROUP" : "COLLECTION";
  }

  private static String command(DatabaseName database, CompositeIndex index) {
    StringBuilder command = new StringBuilder("gcloud firestore indexes composite create --project="
        + database.project() + " --collection-group=" + index.collectionId() + " --query-scope="
        + scope(index.group()));
    for (Field field : index.fields()) {
      command.append(" --field-config=");
      switch (field.order()) {
        case VECTOR ->
          command
              .append("vector-config='{\"dimension\":\"")
              .append(field.dimension())
              .append("\",\"flat\": \"{}\"}'");
        case CONTAINS -> command.append("array-config=contains");
        default -> command.append("order=").append(field.order());
      }
      command.append(",field-path=").append(field.path().canonical());
    }
    return command.toString();
  }

  /** Returns the index as the console reads it from its address: a message of the admin API, which we do not bundle. */
  private static String link(DatabaseName database, CompositeIndex index) {
    List<Field> fields = new ArrayList<>(index.fields());
    Field last = fields.get(fields.size() - 1);
    if (!last.path().isName()) {
      fields.add(new Field(
          FieldPath.NAME, last.order() == Order.DESCENDING ? Order.DESCENDING : Order.ASCENDING));
    }
    UnknownFieldSet.Builder message = UnknownFieldSet.newBuilder();
    message.mergeField(
        1, text(database + "/collectionGroups/" + index.collectionId() + "/indexes/_"));
    message.mergeField(2, number(index.group() ? 2 : 1));
    for (Field field : fields) {
      UnknownFieldSet.Builder part =
          UnknownFieldSet.newBuilder().mergeField(1, text(field.path().canonical()));
      part.mergeField(
          field.order() == Order.CONTAINS ? 3 : 2,
          number(field.order() == Order.DESCENDING ? 2 : 1));
      message.mergeField(
          3,
          UnknownFieldSet.Field.newBuilder()
              .addLengthDelimited(part.build().toByteString())
              .build());
    }
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(message.build().toByteArray());
  }

  private static UnknownFieldSet.Field text(String text) {
    return UnknownFieldSet.Field.newBuilder()
        .addLengthDelimited(ByteString.copyFromUtf8(text))
        .build();
  }

  private static UnknownFieldSet.Field number(long number) {
    return UnknownFieldSet.Field.newBuilder().addVarint(number).build();
  }
}
