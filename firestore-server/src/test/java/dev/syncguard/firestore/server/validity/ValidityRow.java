package dev.syncguard.firestore.server.validity;

import static dev.syncguard.firestore.server.query.QueryDsl.ROOT;
import static dev.syncguard.firestore.server.query.QueryDsl.collection;

import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.Code;
import java.util.List;

/**
 * A request, and what Firestore answers: what the official emulator was recorded to say or production documents.
 *
 * @param status what the answer says, OK if it is none that refuses
 * @param words how the message begins or, of a request that is accepted, all that it finds; empty if that does not matter
 * @param emulator what the official emulator does instead, where it differs from production; else empty
 */
public record ValidityRow(
    String name,
    String method,
    String path,
    String body,
    Code status,
    String words,
    String emulator) {

  static ValidityRow accepted(String name, StructuredQuery.Builder query) {
    return query(name, ROOT, query, Code.OK, "");
  }

  static ValidityRow finds(String name, StructuredQuery.Builder query, String ids) {
    return query(name, ROOT, query, Code.OK, "finds " + ids);
  }

  static ValidityRow refused(
      String name, StructuredQuery.Builder query, Code status, String words) {
    return query(name, ROOT, query, status, words);
  }

  static ValidityRow refusedBelow(
      String name, String parent, StructuredQuery.Builder query, String words) {
    return query(name, parent, query, Code.INVALID_ARGUMENT, words);
  }

  private static ValidityRow query(
      String name, String parent, StructuredQuery.Builder query, Code status, String words) {
    RunQueryRequest.Builder request =
        RunQueryRequest.newBuilder().setParent(parent).setStructuredQuery(query);
    return new ValidityRow(
        name, "POST", "/v1/" + parent + ":runQuery", json(request), status, words, "");
  }

  static ValidityRow aggregation(
      String name, List<Aggregation> aggregations, Code status, String words) {
    return aggregation(name, collection("c"), aggregations, status, words);
  }

  static ValidityRow aggregation(
      String name,
      StructuredQuery.Builder query,
      List<Aggregation> aggregations,
      Code status,
      String words) {
    RunAggregationQueryRequest.Builder request = RunAggregationQueryRequest.newBuilder()
        .setParent(ROOT)
        .setStructuredAggregationQuery(StructuredAggregationQuery.newBuilder()
            .setStructuredQuery(query)
            .addAllAggregations(aggregations));
    return new ValidityRow(
        name, "POST", "/v1/" + ROOT + ":runAggregationQuery", json(request), status, words, "");
  }

  /** Returns a request as it is sent; in its body, apostrophes stand for quotes and {@code @} for the name of the root. */
  static ValidityRow rest(
      String name, String method, String path, String body, Code status, String words) {
    return new ValidityRow(
        name,
        method,
        "/v1/" + ROOT + path,
        body.replace('\'', '"').replace("@", ROOT),
        status,
        words.replace("@", ROOT),
        "");
  }

  ValidityRow emulator(String instead) {
    return new ValidityRow(name, method, path, body, status, words, instead);
  }

  private static String json(MessageOrBuilder message) {
    try {
      return JsonFormat.printer().omittingInsignificantWhitespace().print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
