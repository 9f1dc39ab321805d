package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests in the shape in which the SDKs for Android and iOS send them: their headers, their host, their streams.
 *
 * <p>No phone was recorded for it. The headers are those that the source of the SDK for Android sets ({@code
 * FirestoreChannel} and {@code FirebaseClientGrpcMetadataProvider} in firebase-android-sdk); that iOS sets the same ones,
 * and the versions, are assumed. The streams are as {@code WatchStream} and {@code WriteStream} open them.
 */
@Timeout(180)
class PhoneClientsTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String ROOT = DATABASE + "/documents/";
  private static final String HOST_FROM_ANDROID = "10.0.2.2:8080";

  /** What an SDK calls itself. */
  enum Phone {
    ANDROID(
        "gl-java/ fire/26.1.1 grpc/",
        "1:1234567890:android:0123456789abcdef",
        "grpc-java-okhttp/1.70.0"),
    IOS("gl-objc/ fire/12.9.0 grpc/", "1:1234567890:ios:0123456789abcdef", "grpc-c++/1.69.0");

    private final String client;
    private final String application;
    private final String agent;

    Phone(String client, String application, String agent) {
      this.client = client;
      this.application = application;
      this.agent = agent;
    }

    FirestoreGrpc.FirestoreStub on(ManagedChannel channel) {
      Metadata headers = new Metadata();
      Map.of(
              "x-goog-api-client", client,
              "x-firebase-gmpid", application,
              "x-firebase-client-log-type", "3",
              "x-firebase-appcheck", "a.token.of-its-own",
              "x-firebase-client", "fire-fst/1 " + agent,
              "google-cloud-resource-prefix", DATABASE,
              "x-goog-request-params", DATABASE)
          .forEach((name, value) ->
              headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
      return FirestoreGrpc.newStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
  }

  /** Keeps what a stream answers. */
  private static final class Answers<T> implements StreamObserver<T> {
    private final BlockingQueue<T> answers = new LinkedBlockingQueue<>();

    @Override
    public void onNext(T answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}

    T next() throws InterruptedException {
      T answer = answers.poll(90, TimeUnit.SECONDS);
      assertThat(answer).as("an answer").isNotNull();
      return Objects.requireNonNull(answer);
    }
  }

  private static ManagedChannel connect(FirestoreServer server) {
    return NettyChannelBuilder.forTarget(server.emulatorHost())
        .usePlaintext()
        .overrideAuthority(HOST_FROM_ANDROID)
        .build();
  }

  private static FirestoreServer serverForPhones() {
    return FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .allowHosts("10.0.2.2")
        .start();
  }

  @ParameterizedTest
  @EnumSource
  void aWriteStreamAndAListenerThatComesBackMuchLaterWork(Phone phone) throws Exception {
    try (FirestoreServer server = serverForPhones()) {
      ManagedChannel channel = connect(server);
      write(phone, channel, "c/1", "c/2");
      List<ListenResponse> first = listen(phone, channel, ByteString.EMPTY);
      assertThat(changed(first)).containsExactlyInAnyOrder("c/1", "c/2");
      ByteString token = lastToken(first);
      channel.shutdownNow(); // out of reach, on the train

      ManagedChannel other = connect(server);
      for (int i = 0; i < 50; i++) {
        write(phone, other, "other/" + i);
      }
      write(phone, other, "c/2", "c/3");
      other.shutdownNow();

      ManagedChannel again = connect(server);
      List<ListenResponse> resumed = listen(phone, again, token);
      assertThat(changed(resumed))
          .as("only what has changed")
          .containsExactlyInAnyOrder("c/2", "c/3");
      assertThat(resumed)
          .noneMatch(
              answer -> answer.getTargetChange().getTargetChangeType() == TargetChangeType.RESET);
      again.shutdownNow();
    }
  }

  @Test
  void withoutTheHostBeingAllowedAPhoneIsRefused() {
    try (FirestoreServer server =
        FirestoreServer.builder().authorizer(Authorizer.open()).start()) {
      ManagedChannel channel = connect(server);
      assertThatThrownBy(() -> FirestoreGrpc.newBlockingStub(channel)
              .getDocument(GetDocumentRequest.newBuilder().setName(ROOT + "c/1").build()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("PERMISSION_DENIED");
      channel.shutdownNow();
    }
  }

  private static long number;

  /** The handshake of a write stream, then the writes with the token of the answer before. */
  private static void write(Phone phone, ManagedChannel channel, String... paths) throws Exception {
    Answers<WriteResponse> answers = new Answers<>();
    StreamObserver<WriteRequest> stream = phone.on(channel).write(answers);
    stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
    ByteString token = answers.next().getStreamToken();
    assertThat(token).isNotEmpty();
    WriteRequest.Builder request = WriteRequest.newBuilder().setStreamToken(token);
    for (String path : paths) {
      request.addWrites(Write.newBuilder()
          .setUpdate(Document.newBuilder()
              .setName(ROOT + path)
              .putAllFields(Map.of("n", Values.of(number++)))));
    }
    stream.onNext(request.build());
    assertThat(answers.next().getWriteResultsCount()).isEqualTo(paths.length);
    stream.onCompleted();
  }

  private static List<ListenResponse> listen(Phone phone, ManagedChannel channel, ByteString token)
      throws Exception {
    Target.Builder target = Target.newBuilder()
        .setTargetId(2)
        .setQuery(Target.QueryTarget.newBuilder()
            .setParent(DATABASE + "/documents")
            .setStructuredQuery(StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId("c"))));
    if (!token.isEmpty()) {
      target.setResumeToken(token);
    }
    Answers<ListenResponse> answers = new Answers<>();
    StreamObserver<ListenRequest> stream = phone.on(channel).listen(answers);
    stream.onNext(ListenRequest.newBuilder()
        .setDatabase(DATABASE)
        .setAddTarget(target)
        .putLabels("goog-listen-tags", "existence-filter-mismatch")
        .build());
    List<ListenResponse> all = new ArrayList<>();
    boolean current = false;
    while (true) { // until the snapshot after CURRENT
      ListenResponse answer = answers.next();
      all.add(answer);
      TargetChangeType type = answer.getTargetChange().getTargetChangeType();
      current |= answer.hasTargetChange() && type == TargetChangeType.CURRENT;
      if (current
          && answer.hasTargetChange()
          && type == TargetChangeType.NO_CHANGE
          && answer.getTargetChange().getTargetIdsCount() == 0) {
        stream.onCompleted();
        return all;
      }
    }
  }

  private static List<String> changed(List<ListenResponse> answers) {
    return answers.stream()
        .filter(ListenResponse::hasDocumentChange)
        .map(answer -> answer.getDocumentChange().getDocument().getName().substring(ROOT.length()))
        .toList();
  }

  private static ByteString lastToken(List<ListenResponse> answers) {
    return answers.get(answers.size() - 1).getTargetChange().getResumeToken();
  }
}
