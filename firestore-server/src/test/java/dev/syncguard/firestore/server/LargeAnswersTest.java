package dev.syncguard.firestore.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.UpdateDocumentRequest;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that has no room for another large answer refuses it, but never after it has done what it was asked to do. */
@Timeout(180)
class LargeAnswersTest {
  private static final int BUDGET = 4_000_000;
  private static final int DOCUMENT_BYTES = 300_000;
  /** Leaves room for small requests, however many there are: 27 of them do not fit. */
  private static final int FILLER_BYTES = 150_000;

  private static final String ROOT = "projects/p/databases/d/documents";
  private static final String LARGE = ROOT + "/c/large";
  private static final String FIELD_N = "?updateMask.fieldPaths=n";

  private FirestoreServer server;
  private ManagedChannel channel;
  private FirestoreBlockingStub grpc;
  private HttpClient http;
  private final List<Socket> fillers = new ArrayList<>();

  @BeforeEach
  void aServerWithoutRoom() throws Exception {
    server = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .budgetBytes(BUDGET)
        .start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    grpc = FirestoreGrpc.newBlockingStub(channel);
    http = HttpClient.newHttpClient();
    grpc.updateDocument(update(0, DocumentMask.getDefaultInstance(), "x".repeat(DOCUMENT_BYTES)));
    Patience.until("there is no room", () -> {
      fill();
      // More than once: for a moment an answer still counts that has just been taken.
      return IntStream.range(0, 5).allMatch(attempt -> readOfLarge() == Status.Code.UNAVAILABLE);
    });
  }

  @AfterEach
  void close() throws Exception {
    leave();
    channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void aRefusedUpdateOverRestHasChangedNothing() throws Exception {
    assertThat(status("PATCH", "/c/large" + FIELD_N, "{\"fields\":{\"n\":{\"integerValue\":1}}}"))
        .isEqualTo(503);
    assertThat(n()).isZero();
  }

  @Test
  void aRefusedUpdateOverGrpcHasChangedNothing() {
    UpdateDocumentRequest request = update(1, mask("n"), "");
    assertThatThrownBy(() -> grpc.updateDocument(request))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refusal ->
                assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    assertThat(n()).isZero();
  }

  @Test
  void anUpdateWithAShortAnswerIsDone() throws Exception {
    assertThat(status(
            "PATCH",
            "/c/large" + FIELD_N + "&mask.fieldPaths=n",
            "{\"fields\":{\"n\":{\"integerValue\":1}}}"))
        .isEqualTo(200);
    assertThat(n()).isEqualTo(1);
    grpc.updateDocument(update(2, mask("n"), "").toBuilder().setMask(mask("n")).build());
    assertThat(n()).isEqualTo(2);
  }

  @Test
  void aCommitIsDone() throws Exception {
    String write = "{\"update\":{\"name\":\"" + LARGE
        + "\",\"fields\":{\"n\":{\"integerValue\":1}}},\"updateMask\":{\"fieldPaths\":[\"n\"]}}";
    assertThat(status("POST", ":commit", "{\"writes\":[" + write + "]}")).isEqualTo(200);
    assertThat(n()).isEqualTo(1);
  }

  @Test
  void thereIsRoomAgainWhenTheOthersAreGone() throws Exception {
    leave();
    Patience.until("there is room", () -> readOfLarge() == Status.Code.OK);
  }

  /** Sends something that has no end, so that it is never answered. */
  private void fill() {
    String head = "POST /v1/" + ROOT + ":commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + (FILLER_BYTES + 1) + "\r\n\r\n";
    try {
      Socket filler = new Socket(InetAddress.getLoopbackAddress(), server.port());
      fillers.add(filler);
      filler.getOutputStream().write((head + " ".repeat(FILLER_BYTES)).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void leave() throws IOException {
    for (Socket filler : fillers) {
      filler.close();
    }
  }

  /** Returns what becomes of a read of the large document. */
  private Status.Code readOfLarge() {
    GetDocumentRequest request = GetDocumentRequest.newBuilder().setName(LARGE).build();
    try {
      assertThat(grpc.getDocument(request).getName()).isEqualTo(LARGE);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private int status(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(
            URI.create("http://" + server.emulatorHost() + "/v1/" + ROOT + path))
        .method(method, BodyPublishers.ofString(body))
        .build();
    return http.send(request, BodyHandlers.ofString()).statusCode();
  }

  private long n() {
    GetDocumentRequest request =
        GetDocumentRequest.newBuilder().setName(LARGE).setMask(mask("n")).build();
    return grpc.getDocument(request).getFieldsOrThrow("n").getIntegerValue();
  }

  private static UpdateDocumentRequest update(long n, DocumentMask mask, String text) {
    UpdateDocumentRequest.Builder request = UpdateDocumentRequest.newBuilder()
        .setDocument(Document.newBuilder()
            .setName(LARGE)
            .putFields("n", Values.of(n))
            .putFields("text", Values.of(text)));
    if (mask.getFieldPathsCount() > 0) {
      request.setUpdateMask(mask);
    }
    return request.build();
  }

  private static DocumentMask mask(String field) {
    return DocumentMask.newBuilder().addFieldPaths(field).build();
  }
}
