package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.ExplainOptions;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Write;
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * An index over several fields is used: what a query of ten results reads is ten documents. The oracle is the number of
 * documents that were read, which clients are told. Those that match come last in every index over one field.
 */
class CompositeChoiceTest {
  private static final String DATABASE = "projects/demo/databases/(default)";
  private static final int OTHERS = 2000;
  private static final int MATCHING = 2000;
  private static final String INDEX = """
      {"indexes": [{"collectionGroup": "c", "queryScope": "%s", "fields": [
        {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "%s"}]}]}""";

  @Test
  void aQueryWithItsIndexReadsItsResultsOnly() throws Exception {
    assertThat(read(INDEX.formatted("COLLECTION", "ASCENDING"), QueryDsl.collection("c"), true))
        .isEqualTo(10);
  }

  @Test
  void theIndexIsReadBackwardsAsWell() throws Exception {
    assertThat(read(INDEX.formatted("COLLECTION", "DESCENDING"), QueryDsl.collection("c"), true))
        .isEqualTo(10);
  }

  @Test
  void aGroupHasIndexesOfItsOwn() throws Exception {
    String index = INDEX.formatted("COLLECTION_GROUP", "ASCENDING");
    assertThat(read(index, QueryDsl.group("c"), false)).isEqualTo(10);
  }

  @Test
  void withoutTheIndexAllThatComesBeforeIsRead() throws Exception {
    assertThat(read("{}", QueryDsl.collection("c"), true)).isGreaterThan(OTHERS);
  }

  private static long read(String indexes, StructuredQuery.Builder query, boolean top)
      throws Exception {
    try (FirestoreServer server =
        FirestoreServer.builder().indexes(IndexFile.parse(indexes)).start()) {
      ManagedChannel channel =
          NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
      Metadata owner = new Metadata();
      owner.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
      FirestoreBlockingStub stub = FirestoreGrpc.newBlockingStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
      try {
        fill(stub, top);
        return read(stub, query);
      } finally {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
      }
    }
  }

  private static void fill(FirestoreBlockingStub stub, boolean top) {
    for (int start = 0; start < OTHERS + MATCHING; start += 500) {
      CommitRequest.Builder commit = CommitRequest.newBuilder().setDatabase(DATABASE);
      for (int i = start; i < start + 500; i++) {
        String path = top ? "c/d" + i : "parents/p" + i % 7 + "/c/d" + i;
        commit.addWrites(Write.newBuilder()
            .setUpdate(Document.newBuilder()
                .setName(QueryDsl.ROOT + "/" + path)
                .putFields("a", Values.of(i < OTHERS ? 0 : 1))
                .putFields("b", Values.of((long) i))));
      }
      stub.commit(commit.build());
    }
  }

  private static long read(FirestoreBlockingStub stub, StructuredQuery.Builder query) {
    AtomicLong documents = new AtomicLong();
    List<Long> found = new ArrayList<>();
    stub.runQuery(RunQueryRequest.newBuilder()
            .setParent(QueryDsl.ROOT)
            .setStructuredQuery(query
                .setWhere(QueryDsl.test("a", "==", 1))
                .addOrderBy(QueryDsl.asc("b"))
                .setLimit(Int32Value.of(10)))
            .setExplainOptions(ExplainOptions.newBuilder().setAnalyze(true))
            .build())
        .forEachRemaining(answer -> {
          if (answer.hasDocument()) {
            found.add(answer.getDocument().getFieldsOrThrow("b").getIntegerValue());
          }
          if (answer.hasExplainMetrics()) {
            documents.set(Long.parseLong(answer
                .getExplainMetrics()
                .getExecutionStats()
                .getDebugStats()
                .getFieldsOrThrow("documents_scanned")
                .getStringValue()));
          }
        });
    assertThat(found).hasSize(10).startsWith((long) OTHERS).isSorted();
    return documents.get();
  }
}
