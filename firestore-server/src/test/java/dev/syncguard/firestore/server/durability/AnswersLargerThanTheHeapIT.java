package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange;
import com.google.firestore.v1.Write;
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.query.QueryDsl;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with 64 MiB of heap answers with several times as much as that, and deletes it, without ever holding all of it. */
@Timeout(600)
@SuppressWarnings("NullAway.Init") // nothing comes before start
class AnswersLargerThanTheHeapIT {
  private static final String DATABASE = "projects/demo/databases/(default)";
  private static final int DOCUMENTS = 1_000;
  private static final int BYTES = 100_000;
  private static final int HEAP_MIB = 64;
  private static final int BATCH = 50;

  @TempDir
  private Path directory;

  private Process process;
  private ManagedChannel channel;
  private FirestoreBlockingStub stub;
  private String host;
  private final Metadata owner = new Metadata();

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Served.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    host = process.inputReader().readLine();
    assertThat(host).as("where the server listens").isNotNull();
    channel = NettyChannelBuilder.forTarget(host)
        .usePlaintext()
        .maxInboundMessageSize(16 << 20)
        .build();
    owner.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    stub = FirestoreGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
    for (int i = 0; i < DOCUMENTS; i += BATCH) {
      write(i, BATCH);
    }
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    process.outputWriter().close();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("it ended because we said so").isZero();
  }

  private void write(int start, int count) {
    BatchWriteRequest.Builder batch = BatchWriteRequest.newBuilder().setDatabase(DATABASE);
    for (int i = start; i < start + count; i++) {
      batch.addWrites(Write.newBuilder()
          .setUpdate(Document.newBuilder()
              .setName(QueryDsl.ROOT + "/c/d" + i)
              .putFields("one", Values.of(1))
              .putFields("time", Values.of(System.nanoTime()))
              .putFields("few", Values.of((long) i % 3))
              .putFields("many", Values.of(i * 7_919L % DOCUMENTS))
              .putFields("text", Values.of(i + "x".repeat(BYTES)))));
    }
    assertThat(stub.batchWrite(batch.build()).getStatusList())
        .allMatch(status -> status.getCode() == 0);
  }

  @Test
  void queriesListsAndDeletionsNeedNoRoomForAllOfIt() throws Exception {
    assertThat(inOrder(StructuredQuery.newBuilder(), null)).isEqualTo(DOCUMENTS);
    assertThat(inOrder(query("many"), "many")).isEqualTo(DOCUMENTS);
    assertThat(inOrder(query("one", "many"), "many"))
        .as("sorted, where all are equal in the first field")
        .isEqualTo(DOCUMENTS);
    assertThat(inOrder(query("few", "many"), null)).isEqualTo(DOCUMENTS);
    assertThat(inOrder(query("text"), null)).isEqualTo(DOCUMENTS);
    assertThat(overRest()).isEqualTo(DOCUMENTS);
    assertThat(listed(10_000, "")).hasSize(DOCUMENTS);
    assertThat(listed(10_000, "many desc")).hasSize(DOCUMENTS);
    assertThat(partitions()).isEqualTo(9);
    leaveInTheMiddle();
    HttpRequest clear = request("/emulator/v1/" + QueryDsl.ROOT, "DELETE", "");
    assertThat(HttpClient.newHttpClient().send(clear, BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);
    assertThat(inOrder(StructuredQuery.newBuilder(), null)).isZero();
  }

  @Test
  void listenersNeedNoRoomForAllOfIt() throws Exception {
    // Those who take one answer and no more hold up their own connection, and nobody else's.
    ManagedChannel slow = NettyChannelBuilder.forTarget(host).usePlaintext().build();
    List<Listener> idle = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      idle.add(listen(slow, StructuredQuery.newBuilder(), 1));
    }
    Listener busy = listen(channel, StructuredQuery.newBuilder(), Integer.MAX_VALUE);
    assertThat(busy.documents()).isEqualTo(DOCUMENTS);
    Listener window =
        listen(channel, query().setLimit(Int32Value.of(DOCUMENTS - 1)), Integer.MAX_VALUE);
    assertThat(window.documents()).isEqualTo(DOCUMENTS - 1);
    write(0, 1);
    assertThat(busy.documents()).isEqualTo(1);
    assertThat(window.documents()).isEqualTo(1);
    assertThat(idle).noneMatch(Listener::hasFailed);
    slow.shutdownNow();
  }

  private Listener listen(ManagedChannel over, StructuredQuery.Builder query, int atMost) {
    Listener listener = new Listener(atMost);
    StreamObserver<ListenRequest> requests = FirestoreGrpc.newStub(over)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner))
        .listen(listener);
    requests.onNext(ListenRequest.newBuilder()
        .setDatabase(DATABASE)
        .setAddTarget(Target.newBuilder()
            .setTargetId(2)
            .setQuery(Target.QueryTarget.newBuilder()
                .setParent(QueryDsl.ROOT)
                .setStructuredQuery(query.mergeFrom(QueryDsl.collection("c").build()))))
        .build());
    return listener;
  }

  /** Counts the documents that it is told of until it has been told all, and keeps none of them. */
  private static final class Listener
      implements ClientResponseObserver<ListenRequest, ListenResponse> {
    private final int atMost;
    private final BlockingQueue<Integer> snapshots = new LinkedBlockingQueue<>();
    private volatile boolean failed;
    private int documents;

    Listener(int atMost) {
      this.atMost = atMost;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ListenRequest> requests) {
      requests.disableAutoRequestWithInitial(atMost);
    }

    @Override
    public void onNext(ListenResponse answer) {
      documents += answer.hasDocumentChange() ? 1 : 0;
      TargetChange change = answer.getTargetChange();
      if (change.hasReadTime() && change.getTargetIdsCount() == 0) {
        snapshots.add(documents);
        documents = 0;
      }
    }

    @Override
    public void onError(Throwable failure) {
      failed = true;
      snapshots.add(-1);
    }

    @Override
    public void onCompleted() {}

    /** Waits for a snapshot and returns how many documents it brought. */
    int documents() throws InterruptedException {
      int count = 0;
      while (count == 0) { // of snapshots that bring nothing there may be any number
        count = Objects.requireNonNull(snapshots.poll(120, TimeUnit.SECONDS), "a snapshot");
      }
      return count;
    }

    boolean hasFailed() {
      return failed;
    }
  }

  private static StructuredQuery.Builder query(String... orders) {
    StructuredQuery.Builder query = StructuredQuery.newBuilder();
    for (String order : orders) {
      query.addOrderBy(QueryDsl.asc(order));
    }
    return query;
  }

  /** Returns how many documents are found, and sees that a field rises. */
  private int inOrder(StructuredQuery.Builder query, @Nullable String field) {
    Iterator<Document> found = found(query);
    long last = -1;
    int count = 0;
    for (; found.hasNext(); count++) {
      Document document = found.next();
      assertThat(document.getFieldsOrThrow("text").getStringValue().length()).isGreaterThan(BYTES);
      if (field != null) {
        long next = document.getFieldsOrThrow(field).getIntegerValue();
        assertThat(next).isGreaterThan(last);
        last = next;
      }
    }
    return count;
  }

  private Iterator<Document> found(StructuredQuery.Builder query) {
    RunQueryRequest request = RunQueryRequest.newBuilder()
        .setParent(QueryDsl.ROOT)
        .setStructuredQuery(query.mergeFrom(QueryDsl.collection("c").build()))
        .build();
    Iterable<RunQueryResponse> answers = () -> stub.runQuery(request);
    return StreamSupport.stream(answers.spliterator(), false)
        .filter(RunQueryResponse::hasDocument)
        .map(RunQueryResponse::getDocument)
        .iterator();
  }

  /** Some clients do not want to know the end. */
  private void leaveInTheMiddle() {
    for (int i = 0; i < 20; i++) {
      Context.CancellableContext context = Context.current().withCancellation();
      context.run(() -> assertThat(found(query("many")).next().getName()).isNotEmpty());
      context.cancel(null);
    }
  }

  private int overRest() throws Exception {
    HttpRequest request = request(
        "/v1/" + QueryDsl.ROOT + ":runQuery",
        "POST",
        "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"c\"}]}}");
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    int count = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        count += line.contains("\"name\": ") ? 1 : 0;
      }
    }
    return count;
  }

  private HttpRequest request(String path, String method, String body) {
    String escaped = path.replace("(", "%28").replace(")", "%29");
    return HttpRequest.newBuilder(URI.create("http://" + host + escaped))
        .header("Authorization", "Bearer owner")
        .method(method, BodyPublishers.ofString(body))
        .build();
  }

  private Set<String> listed(int pageSize, String order) {
    Set<String> names = new HashSet<>();
    ListDocumentsRequest.Builder request = ListDocumentsRequest.newBuilder()
        .setParent(QueryDsl.ROOT)
        .setCollectionId("c")
        .setPageSize(pageSize)
        .setOrderBy(order);
    do {
      ListDocumentsResponse page = stub.listDocuments(request.build());
      page.getDocumentsList().forEach(document -> names.add(document.getName()));
      request.setPageToken(page.getNextPageToken());
    } while (!request.getPageToken().isEmpty());
    return names;
  }

  private int partitions() {
    return stub.partitionQuery(PartitionQueryRequest.newBuilder()
            .setParent(QueryDsl.ROOT)
            .setPartitionCount(9)
            .setStructuredQuery(QueryDsl.group("c").addOrderBy(QueryDsl.asc("__name__")))
            .build())
        .getPartitionsCount();
  }

  /** Serves the directory until nobody wants it any more. */
  public static final class Served {
    private Served() {}

    public static void main(String[] arguments) throws IOException {
      try (FirestoreServer server = FirestoreServer.builder()
          .dataDirectory(Path.of(arguments[0]))
          .fsync(Fsync.NEVER)
          .start()) {
        System.out.println(server.emulatorHost());
        while (System.in.read() >= 0) {
          // Nobody says anything; what counts is the end.
        }
      }
    }
  }
}
