package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.QueryTarget;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server with 128 MiB of heap, which ends as soon as that is not enough, outlives clients that ask for, send or keep
 * open many times more.
 */
@Timeout(240)
class SmallHeapTest {
  private static final int HEAP_MIB = 128;
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String ROOT = DATABASE + "/documents";
  private static final String SERVICE = "/google.firestore.v1.Firestore/";
  private static final int DOCUMENTS = 160;
  private static final int DOCUMENT_BYTES = 50_000;
  /** So many answers of all documents are several times the heap. */
  private static final int READERS = 24;

  private static Process process;
  private static String host;
  private static HttpClient http;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SmallServer.class.getName())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    BufferedReader output = process.inputReader();
    host = output.readLine();
    assertThat(host).as("where the server listens").isNotNull();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    channel = NettyChannelBuilder.forTarget(host)
        .usePlaintext()
        .maxInboundMessageSize(16 << 20)
        .build();
    for (int i = 0; i < DOCUMENTS; i++) {
      commit("large/" + i, DOCUMENT_BYTES);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
    process.outputWriter().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("it ended because we said so").isZero();
  }

  @AfterEach
  void theServerStillWorks() throws InterruptedException {
    // It may still hold what clients that are gone have left.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isRoomForAnotherCommit() && System.nanoTime() < deadline) {
      Thread.sleep(50);
    }
    commit("after/all", 1);
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void queriesWhoseAnswersNobodyReads() throws Exception {
    List<Reader<RunQueryRequest, RunQueryResponse>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(new Reader<>(FirestoreGrpc.getRunQueryMethod(), all()));
    }
    for (var reader : readers) {
      reader.first.get(60, TimeUnit.SECONDS);
    }
    commit("meanwhile/others", 1);
    // Whoever begins to read after all gets everything.
    var patient = readers.get(0);
    patient.readOn();
    assertThat(patient.end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
    assertThat(patient.count).hasValue(DOCUMENTS);
    readers.forEach(Reader::cancel);
  }

  @Test
  void listenersThatDoNotListen() throws Exception {
    List<Reader<ListenRequest, ListenResponse>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(new Reader<>(FirestoreGrpc.getListenMethod(), listen()));
    }
    for (var reader : readers) {
      reader.first.get(60, TimeUnit.SECONDS);
    }
    for (int i = 0; i < 250; i++) {
      commit("large/" + i % DOCUMENTS, DOCUMENT_BYTES + 1 + i / DOCUMENTS);
    }
    // Too much has been missed: the listener is told to come again.
    var slow = readers.get(0);
    slow.readOn();
    assertThat(slow.end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    readers.forEach(Reader::cancel);
  }

  @Test
  void restAnswersThatNobodyReads() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < READERS; i++) {
        Socket socket = connect();
        send(
            socket,
            post(
                "/v1/" + ROOT + ":runQuery",
                "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"large\"}]}}"));
        sockets.add(socket);
      }
      for (Socket socket : sockets) {
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      commit("meanwhile/others", 1);
    } finally {
      close(sockets);
    }
  }

  @Test
  void manyRestListsAtOnce() throws Exception {
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (int i = 0; i < 2 * READERS; i++) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(
              "http://" + host + "/v1/" + ROOT.replace("(", "%28").replace(")", "%29") + "/large"))
          .timeout(Duration.ofMinutes(2))
          .build();
      answers.add(http.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    int complete = 0;
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      HttpResponse<byte[]> list = answer.get(120, TimeUnit.SECONDS);
      assertThat(list.statusCode()).isIn(200, 503);
      if (list.statusCode() == 200) {
        assertThat(list.body().length).as("a page of megabytes").isGreaterThan(4 << 20);
        assertThat(list.body()).endsWith((byte) '}', (byte) '\n');
        complete++;
      }
    }
    assertThat(complete).isPositive();
  }

  @Test
  void largeDocumentsThatNobodyTakes() throws Exception {
    commit("huge/one", 1_000_000);
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        send(socket, "GET /v1/" + ROOT + "/huge/one HTTP/1.1\r\nHost: localhost\r\n\r\n");
        sockets.add(socket);
      }
      // How many are refused depends on what the system buffers; that the server lives does not.
      for (Socket socket : sockets) {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .isIn("HTTP/1.1 200", "HTTP/1.1 503");
      }
    } finally {
      close(sockets);
    }
  }

  @Test
  void bodiesThatAreLargeAndNeverEnd() throws Exception {
    byte[] part = new byte[14 << 20];
    List<Socket> sockets = new ArrayList<>();
    try {
      int refused = 0;
      for (int i = 0; i < 20; i++) {
        Socket socket = connect();
        sockets.add(socket);
        send(
            socket,
            "POST /v1/" + ROOT + ":commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + (part.length + 1) + "\r\n\r\n");
        try {
          socket.getOutputStream().write(part);
        } catch (IOException e) {
          refused++; // answered and closed before we were done
        }
      }
      for (Socket socket : sockets) {
        refused += socket.getInputStream().available() > 0 ? 1 : 0;
      }
      assertThat(refused).as("20 × 14 MiB are too much").isPositive();
    } finally {
      close(sockets);
    }
  }

  @Test
  void compressedMessagesThatUnpackToMuchMore() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
      // A field of 512 MiB, which is not even wrong.
      zip.write(new byte[] {0x0a, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x02});
      byte[] megabyte = new byte[1 << 20];
      for (int i = 0; i < 512; i++) {
        zip.write(megabyte);
      }
    }
    byte[] message = ByteBuffer.allocate(5 + packed.size())
        .put((byte) 1)
        .putInt(packed.size())
        .put(packed.toByteArray())
        .array();
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (String method : List.of("Commit", "RunQuery", "Listen", "Write", "BatchWrite")) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + SERVICE + method))
          .header("content-type", "application/grpc")
          .header("grpc-encoding", "gzip")
          .timeout(Duration.ofSeconds(60))
          .POST(BodyPublishers.ofByteArray(message))
          .build();
      answers.add(http.sendAsync(request, BodyHandlers.ofByteArray()));
    }
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isLessThan(600);
    }
  }

  @Test
  void aThousandConnectionsEachWithARequest() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        Socket socket = connect();
        send(socket, post("/v1/" + ROOT + "/many?documentId=d" + i, "{\"fields\":{}}"));
        sockets.add(socket);
      }
      for (Socket socket : sockets) {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
    } finally {
      close(sockets);
    }
  }

  private static boolean isRoomForAnotherCommit() {
    try {
      commit("after/all", 2);
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private static Socket connect() throws IOException {
    int port = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String post(String path, String body) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
        + "\r\n\r\n" + body;
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static void commit(String path, int bytes) {
    Document document = Document.newBuilder()
        .setName(ROOT + "/" + path)
        .putFields(
            "bytes",
            Value.newBuilder()
                .setBytesValue(ByteString.copyFrom(new byte[bytes]))
                .build())
        .putFields("n", Values.of((long) bytes))
        .build();
    CommitRequest request = CommitRequest.newBuilder()
        .setDatabase(DATABASE)
        .addWrites(Write.newBuilder().setUpdate(document))
        .build();
    assertThat(FirestoreGrpc.newBlockingStub(channel)
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .commit(request)
            .hasCommitTime())
        .isTrue();
  }

  private static RunQueryRequest all() {
    return RunQueryRequest.newBuilder()
        .setParent(ROOT)
        .setStructuredQuery(large())
        .build();
  }

  private static ListenRequest listen() {
    return ListenRequest.newBuilder()
        .setDatabase(DATABASE)
        .setAddTarget(Target.newBuilder()
            .setTargetId(1)
            .setQuery(QueryTarget.newBuilder().setParent(ROOT).setStructuredQuery(large())))
        .build();
  }

  private static StructuredQuery large() {
    return StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId("large"))
        .build();
  }

  /** A client that takes one message and then no more until it is told to. */
  private static final class Reader<Q extends MessageLite, A> extends ClientCall.Listener<A> {
    final CompletableFuture<A> first = new CompletableFuture<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();
    final AtomicInteger count = new AtomicInteger();
    private final ClientCall<Q, A> call;

    Reader(MethodDescriptor<Q, A> method, Q request) {
      call = channel.newCall(method, CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.sendMessage(request);
      if (method.getType() == MethodDescriptor.MethodType.SERVER_STREAMING) {
        call.halfClose();
      }
      call.request(1);
    }

    void readOn() {
      call.request(Integer.MAX_VALUE);
    }

    void cancel() {
      call.cancel("enough", null);
    }

    @Override
    public void onMessage(A message) {
      count.incrementAndGet();
      first.complete(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
      first.completeExceptionally(status.asRuntimeException());
    }
  }
}
