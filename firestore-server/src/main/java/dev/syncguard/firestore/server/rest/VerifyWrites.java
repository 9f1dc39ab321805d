package dev.syncguard.firestore.server.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.firestore.v1.CommitRequest;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads commits whose writes may only verify a document, as transactions of the Lite SDK have them. The published messages
 * do not know such writes, so they are taken out before the body is read and put in afterwards as the unknown field that
 * they are over gRPC.
 */
final class VerifyWrites {
  private static final String VERIFY = "verify";
  /** What is read is written again, so every digit counts. */
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .build();

  private VerifyWrites() {}

  static CommitRequest.Builder parse(String body) {
    if (!body.contains("\"" + VERIFY + "\"")) {
      return Json.parse(body, CommitRequest.newBuilder());
    }
    JsonGuard.check(body);
    JsonNode tree;
    try {
      tree = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
    Map<Integer, String> verified = new TreeMap<>();
    for (int i = 0; i < tree.path("writes").size(); i++) {
      if (tree.path("writes").path(i) instanceof ObjectNode write && write.has(VERIFY)) {
        verified.put(i, write.remove(VERIFY).asText());
      }
    }
    CommitRequest.Builder request = Json.parse(tree.toString(), CommitRequest.newBuilder());
    verified.forEach((i, name) -> request
        .getWritesBuilder(i)
        .setUnknownFields(UnknownFieldSet.newBuilder()
            .addField(
                WritePlanner.VERIFY_FIELD,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(name))
                    .build())
            .build()));
    return request;
  }
}
