package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where something throws an Error, as an assertion does, a client is told so instead of being left to wait. */
@Timeout(180)
class ErrorsAreAnswersTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String DOCUMENT = DATABASE + "/documents/c/1";

  private FirestoreServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder()
        .authorizer((who, access) -> {
          throw new AssertionError("not as expected");
        })
        .start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void aCallIsAnswered() {
    var client = FirestoreGrpc.newBlockingStub(channel).withDeadlineAfter(90, TimeUnit.SECONDS);
    assertInternal(() ->
        client.getDocument(GetDocumentRequest.newBuilder().setName(DOCUMENT).build()));
    assertInternal(() -> client
        .batchGetDocuments(BatchGetDocumentsRequest.newBuilder()
            .setDatabase(DATABASE)
            .addDocuments(DOCUMENT)
            .build())
        .next());
    assertInternal(() -> client.updateDocument(UpdateDocumentRequest.newBuilder()
        .setDocument(Document.newBuilder().setName(DOCUMENT))
        .build()));
  }

  private static void assertInternal(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL));
  }

  @Test
  void aListenerIsAnswered() throws Exception {
    CompletableFuture<Status.Code> end = new CompletableFuture<>();
    FirestoreGrpc.newStub(channel)
        .listen(new Ending<ListenResponse>(end))
        .onNext(ListenRequest.newBuilder()
            .setDatabase(DATABASE)
            .setAddTarget(Target.newBuilder()
                .setTargetId(1)
                .setDocuments(DocumentsTarget.newBuilder().addDocuments(DOCUMENT)))
            .build());
    assertThat(end.get(90, TimeUnit.SECONDS)).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aStreamOfWritesIsAnswered() throws Exception {
    CompletableFuture<Status.Code> end = new CompletableFuture<>();
    var stream = FirestoreGrpc.newStub(channel).write(new Ending<WriteResponse>(end));
    stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
    stream.onNext(WriteRequest.newBuilder()
        .addWrites(com.google.firestore.v1.Write.newBuilder().setDelete(DOCUMENT))
        .build());
    assertThat(end.get(90, TimeUnit.SECONDS)).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void whatIsDoneEverySecondGoesOn(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("firestore.rules");
    Files.writeString(file, rules("true"));
    AtomicInteger looks = new AtomicInteger();
    Consumer<RulesFileWatch.Reload> observer = reload -> {
      if (looks.incrementAndGet() == 2) {
        throw new AssertionError("not as expected");
      }
    };
    try (FirestoreServer watching =
        FirestoreServer.builder().rules(file, observer).start()) {
      Files.writeString(file, rules("false"));
      Patience.until("the file is read again", () -> looks.get() == 2);
      Files.writeString(file, rules("1 == 1"));
      Patience.until("and once more", () -> looks.get() == 3);
      assertThat(watching.port()).isPositive();
    }
  }

  private static String rules(String condition) {
    return "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {"
        + " match /{all=**} { allow read: if " + condition + "; } } }";
  }

  @Test
  void aRequestOverRestIsAnsweredInJson() throws Exception {
    HttpResponse<String> answer = HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://" + server.emulatorHost() + "/v1/" + DOCUMENT))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("\"INTERNAL\"").contains("Internal error.");
  }

  private record Ending<T>(CompletableFuture<Status.Code> end) implements StreamObserver<T> {
    @Override
    public void onNext(T message) {}

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure).getCode());
    }

    @Override
    public void onCompleted() {
      end.complete(Status.Code.OK);
    }
  }
}
