package dev.syncguard.firestore.server.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Write;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever path through the indexes the planner takes, and whatever time is asked for, a query finds exactly what the model
 * finds by looking at every document, in the same order. Large collections are those in which no scan is short;
 * where many documents have a collection below them, those share an index. A failure
 * names its seed; to replay it, put that line alone into the list.
 */
@Tag("slow")
class QueryAgainstModelTest {
  private static final String DATABASE = "projects/demo/databases/(default)";
  private static final int QUERIES = 120;

  private record Moment(Timestamp time, Map<String, Document> documents) {}

  private FirestoreServer server;
  private ManagedChannel channel;
  private FirestoreBlockingStub stub;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().indexes(indexes()).start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    Metadata owner = new Metadata();
    owner.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    stub = FirestoreGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
  }

  /** Returns indexes for what {@link RandomQueries} asks, except for the field x, which has none. */
  static IndexConfiguration indexes() {
    return IndexFile.parse("""
        {"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "x", "indexes": []}],
         "indexes": %s}
        """.formatted(composites()));
  }

  /** Returns an index for every two fields in both directions, and for the array with every field. */
  private static List<String> composites() {
    List<String> fields = List.of("every", "a", "b", "m.x");
    List<String> indexes = new ArrayList<>();
    for (String scope : List.of("COLLECTION", "COLLECTION_GROUP")) {
      for (String second : fields) {
        for (String direction : List.of("ASCENDING", "DESCENDING")) {
          indexes.add(composite(scope, "t", "arrayConfig", "CONTAINS", second, direction));
          fields.stream()
              .filter(first -> !first.equals(second))
              .forEach(first ->
                  indexes.add(composite(scope, first, "order", "ASCENDING", second, direction)));
        }
      }
    }
    return indexes;
  }

  private static String composite(
      String scope, String first, String how, String value, String second, String direction) {
    return """
        {"collectionGroup": "c", "queryScope": "%s", "fields": [
          {"fieldPath": "%s", "%s": "%s"}, {"fieldPath": "%s", "order": "%s"}]}""".formatted(scope, first, how, value, second, direction);
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 30, 1", "2, 30, 9", "3, 30, 30", "4, 2500, 1", "5, 2500, 30"})
  void theServerFindsWhatTheModelFinds(long seed, int ids, int parents) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(random, ids, parents);
    Map<String, Document> model = new HashMap<>();
    List<Moment> history = new ArrayList<>();
    for (int written = 0; written < ids; written += 250) {
      history.add(write(model, queries, 250, random));
    }
    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      history.add(write(model, queries, 1 + random.nextInt(3), random));
      StructuredQuery query = queries.query(List.copyOf(model.values()));
      String where = "seed " + seed + " query " + i + "\n" + query;
      found += check(RunQueryRequest.newBuilder(), query, model, where);
      Moment past = history.get(random.nextInt(history.size()));
      check(
          RunQueryRequest.newBuilder().setReadTime(past.time()),
          query,
          past.documents(),
          where + "in the past");
    }
    assertThat(found).as("queries that find nothing prove nothing").isGreaterThan(QUERIES);
  }

  private int check(
      RunQueryRequest.Builder request,
      StructuredQuery query,
      Map<String, Document> model,
      String where) {
    List<String> actual = new ArrayList<>();
    stub.runQuery(request.setParent(QueryDsl.ROOT).setStructuredQuery(query).build())
        .forEachRemaining(answer -> names(answer, actual));
    assertThat(actual)
        .as(where)
        .containsExactlyElementsOf(new NaiveQuery(QueryDsl.ROOT, query).run(model.values()));
    return actual.size();
  }

  private static void names(RunQueryResponse answer, List<String> into) {
    if (answer.hasDocument()) {
      into.add(answer.getDocument().getName());
    }
  }

  private Moment write(
      Map<String, Document> model, RandomQueries queries, int count, Random random) {
    CommitRequest.Builder commit = CommitRequest.newBuilder().setDatabase(DATABASE);
    for (int i = 0; i < count; i++) {
      String name = QueryDsl.ROOT + "/" + queries.path();
      if (random.nextInt(8) == 0) {
        commit.addWrites(Write.newBuilder().setDelete(name));
        model.remove(name);
      } else {
        Document document =
            Document.newBuilder().setName(name).putAllFields(queries.fields()).build();
        commit.addWrites(Write.newBuilder().setUpdate(document));
        model.put(name, document);
      }
    }
    return new Moment(stub.commit(commit.build()).getCommitTime(), Map.copyOf(model));
  }
}
