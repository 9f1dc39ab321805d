package dev.syncguard.firestore.server.export;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.StructuredAggregationQuery;
import com.google.firestore.v1.StructuredAggregationQuery.Aggregation;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.Map;
import java.util.TreeMap;

/** What a client sees in one database of a server, and a way to write it. */
final class StoredDocuments implements AutoCloseable {
  private final String database;
  private final ManagedChannel channel;

  StoredDocuments(FirestoreServer server, String project, String database) {
    this.database = "projects/" + project + "/databases/" + database;
    this.channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
  }

  private FirestoreGrpc.FirestoreBlockingStub stub() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    return FirestoreGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  void set(String path, Map<String, Value> fields) {
    setAll(Map.of(path, fields));
  }

  void setAll(Map<String, Map<String, Value>> fields) {
    CommitRequest.Builder request = CommitRequest.newBuilder().setDatabase(database);
    fields.forEach((path, each) -> request.addWrites(Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(database + "/documents/" + path).putAllFields(each))));
    var unused = stub().commit(request.build());
  }

  long count() {
    return stub()
        .runAggregationQuery(RunAggregationQueryRequest.newBuilder()
            .setParent(database + "/documents")
            .setStructuredAggregationQuery(StructuredAggregationQuery.newBuilder()
                .setStructuredQuery(all())
                .addAggregations(Aggregation.newBuilder()
                    .setAlias("n")
                    .setCount(Aggregation.Count.getDefaultInstance())))
            .build())
        .next()
        .getResult()
        .getAggregateFieldsOrThrow("n")
        .getIntegerValue();
  }

  private static StructuredQuery all() {
    return StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setAllDescendants(true))
        .build();
  }

  /** Returns all documents by their paths. */
  Map<String, Document> documents() {
    Map<String, Document> found = new TreeMap<>();
    stub()
        .runQuery(RunQueryRequest.newBuilder()
            .setParent(database + "/documents")
            .setStructuredQuery(all())
            .build())
        .forEachRemaining(answer -> {
          if (answer.hasDocument()) {
            Document document = answer.getDocument();
            found.put(document.getName().substring((database + "/documents/").length()), document);
          }
        });
    return found;
  }

  /** Returns the fields of all documents by their paths. */
  Map<String, Map<String, Value>> fields() {
    Map<String, Map<String, Value>> fields = new TreeMap<>();
    documents().forEach((path, document) -> fields.put(path, document.getFieldsMap()));
    return fields;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
