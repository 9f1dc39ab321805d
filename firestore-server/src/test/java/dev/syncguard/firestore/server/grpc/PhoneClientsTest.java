package dev.syncguard.firestore.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ExistenceFilter;
import com.google.firestore.v1.FirestoreGrpc;
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
import com.google.protobuf.Int32Value;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests in the shape in which the SDKs for Android and iOS send them: their headers, their host, their streams.
 *
 * <p>Those of Android are recorded ({@link RecordedRequests}). No iPhone was: the headers of iOS are those that the public
 * source of its SDK names, and its messages are taken to be those of Android.
 */
@Timeout(180)
class PhoneClientsTest {
  static final String DATABASE = "projects/demo/databases/(default)";
  private static final String ROOT = DATABASE + "/documents/";
  private static final String HOST_FROM_ANDROID = "10.0.2.2:8080";

  /** What an SDK says of itself. */
  enum Phone {
    ANDROID,
    IOS;

    private Metadata headers() {
      return this == ANDROID ? RecordedRequests.read().get(0).metadata() : ofIosBySource();
    }

    private static Metadata ofIosBySource() {
      Metadata headers = new Metadata();
      Map.of(
              "x-goog-api-client", "gl-objc/ fire/12.9.0 grpc/",
              "x-firebase-gmpid", "1:1234567890:ios:0123456789abcdef",
              "x-firebase-client-log-type", "3",
              "x-firebase-appcheck", "a.token.of-its-own",
              "x-firebase-client", "fire-fst/1 grpc-c++/1.69.0",
              "google-cloud-resource-prefix", DATABASE,
              "x-goog-request-params", DATABASE)
          .forEach((name, value) ->
              headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
      return headers;
    }

    FirestoreGrpc.FirestoreStub on(ManagedChannel channel) {
      return FirestoreGrpc.newStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers()));
    }
  }

  static ManagedChannel connect(FirestoreServer server) {
    return NettyChannelBuilder.forTarget(server.emulatorHost())
        .usePlaintext()
        .overrideAuthority(HOST_FROM_ANDROID)
        .build();
  }

  static FirestoreServer serverForPhones() {
    return FirestoreServer.builder().authorizer(Authorizer.open()).start();
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

  @ParameterizedTest
  @EnumSource
  void aPhoneThatWasAwayForHoursIsToldWhatIsLeftByAFilter(Phone phone) throws Exception {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    try (FirestoreServer server = FirestoreServer.builder()
        .authorizer(Authorizer.open())
        .time(() -> Instant.now().plus(ahead.get()))
        .start()) {
      ManagedChannel channel = connect(server);
      for (int i = 0; i < 20; i++) {
        write(phone, channel, "c/" + i);
      }
      ByteString token = lastToken(listen(phone, channel, ByteString.EMPTY));
      channel.shutdownNow(); // in a bag, over night

      ManagedChannel other = connect(server);
      delete(phone, other, "c/0", "c/1", "c/2");
      write(phone, other, "c/3");
      other.shutdownNow();
      ahead.set(Duration.ofHours(9)); // longer than the server remembers what was deleted

      ManagedChannel again = connect(server);
      List<ListenResponse> resumed = listen(phone, again, token, 20);
      assertThat(changed(resumed)).as("only what has changed").containsExactly("c/3");
      assertThat(resumed)
          .noneMatch(
              answer -> answer.getTargetChange().getTargetChangeType() == TargetChangeType.RESET);
      ExistenceFilter filter = resumed.stream()
          .filter(ListenResponse::hasFilter)
          .map(ListenResponse::getFilter)
          .findFirst()
          .orElseThrow();
      assertThat(filter.getTargetId()).isEqualTo(2);
      assertThat(filter.getCount()).isEqualTo(17);
      assertThat(filter.getUnchangedNames().getHashCount()).as("a Bloom filter").isPositive();
      again.shutdownNow();
    }
  }

  /** How a phone says who it is: not at all, with a token of an emulated or a real sign-in, or as tests do. */
  @ParameterizedTest
  @EnumSource
  void whoAPhoneIsDecidesWhatItMayDo(Phone phone) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().rules("""
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents/c/{id} { allow write: if request.auth.uid == 'alice'; }
            }
            """).start()) {
      ManagedChannel channel = connect(server);
      for (String allowed : List.of(
          "Bearer " + token("none", "") /* of the emulator for sign-ins */,
          "Bearer " + token("RS256", "c2lnbmF0dXJl") /* of production, which nobody checks here */,
          "Bearer owner")) {
        assertThat(writeAs(phone, channel, allowed)).as(allowed).isEqualTo(Status.Code.OK);
      }
      assertThat(writeAs(phone, channel, "")).isEqualTo(Status.Code.PERMISSION_DENIED);
      channel.shutdownNow();
    }
  }

  private static String token(String algorithm, String signature) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String header = "{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}";
    String claims = "{\"sub\":\"alice\",\"user_id\":\"alice\",\"iat\":1,\"exp\":4102444800}";
    return base64.encodeToString(header.getBytes(UTF_8)) + "."
        + base64.encodeToString(claims.getBytes(UTF_8)) + "." + signature;
  }

  private static Status.Code writeAs(Phone phone, ManagedChannel channel, String authorization)
      throws Exception {
    FirestoreGrpc.FirestoreStub stub = phone.on(channel);
    if (!authorization.isEmpty()) {
      Metadata header = new Metadata();
      header.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
      stub = stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(header));
    }
    StreamAnswers<WriteResponse> answers = new StreamAnswers<>();
    StreamObserver<WriteRequest> stream = stub.write(answers);
    stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
    stream.onNext(WriteRequest.newBuilder()
        .setStreamToken(answers.next().getStreamToken())
        .addWrites(update("c/1"))
        .build());
    return answers.outcome();
  }

  @Test
  void batchesThatWereSentBeforeTheConnectionBrokeAreSentAgainWithTheirToken() throws Exception {
    try (FirestoreServer server = serverForPhones()) {
      ManagedChannel channel = connect(server);
      StreamAnswers<WriteResponse> answers = new StreamAnswers<>();
      StreamObserver<WriteRequest> stream = Phone.ANDROID.on(channel).write(answers);
      stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
      ByteString token = answers.next().getStreamToken();
      // Several batches are on their way at once, each with the latest token that has arrived.
      for (int i = 0; i < 10; i++) {
        stream.onNext(WriteRequest.newBuilder()
            .setStreamToken(token)
            .addWrites(update("pipelined/" + i))
            .build());
      }
      ByteString last = token;
      for (int i = 0; i < 10; i++) {
        WriteResponse answer = answers.next();
        assertThat(answer.getWriteResultsCount()).isEqualTo(1);
        last = answer.getStreamToken();
      }
      channel.shutdownNow();

      // A new stream begins with a handshake; what was not acknowledged goes with the old token's
      // successor.
      ManagedChannel again = connect(server);
      StreamAnswers<WriteResponse> resumed = new StreamAnswers<>();
      StreamObserver<WriteRequest> next = Phone.ANDROID.on(again).write(resumed);
      next.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
      ByteString fresh = resumed.next().getStreamToken();
      assertThat(fresh).isNotEmpty();
      next.onNext(WriteRequest.newBuilder()
          .setStreamToken(last)
          .addWrites(update("pipelined/9"))
          .build());
      assertThat(resumed.next().getWriteResultsCount()).isEqualTo(1);
      next.onCompleted(); // as when a phone has had nothing to write for a minute
      assertThat(resumed.outcome()).isEqualTo(Status.Code.OK);
      again.shutdownNow();
    }
  }

  private static long number;

  /** The handshake of a write stream, then the writes with the token of the answer before. */
  private static void write(Phone phone, ManagedChannel channel, List<Write> writes)
      throws Exception {
    StreamAnswers<WriteResponse> answers = new StreamAnswers<>();
    StreamObserver<WriteRequest> stream = phone.on(channel).write(answers);
    stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
    ByteString token = answers.next().getStreamToken();
    assertThat(token).isNotEmpty();
    WriteRequest.Builder request = WriteRequest.newBuilder().setStreamToken(token);
    writes.forEach(request::addWrites);
    stream.onNext(request.build());
    assertThat(answers.next().getWriteResultsCount()).isEqualTo(writes.size());
    stream.onCompleted();
  }

  private static void write(Phone phone, ManagedChannel channel, String... paths) throws Exception {
    write(phone, channel, Arrays.stream(paths).map(PhoneClientsTest::update).toList());
  }

  private static void delete(Phone phone, ManagedChannel channel, String... paths)
      throws Exception {
    write(
        phone,
        channel,
        Arrays.stream(paths)
            .map(path -> Write.newBuilder().setDelete(ROOT + path).build())
            .toList());
  }

  private static Write update(String path) {
    return Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(ROOT + path)
            .putAllFields(Map.of("n", Values.of(number++))))
        .build();
  }

  private static List<ListenResponse> listen(Phone phone, ManagedChannel channel, ByteString token)
      throws Exception {
    return listen(phone, channel, token, 0);
  }

  /** @param known how many documents the phone has of the query, which it says when it comes back */
  private static List<ListenResponse> listen(
      Phone phone, ManagedChannel channel, ByteString token, int known) throws Exception {
    Target.Builder target = Target.newBuilder()
        .setTargetId(2)
        .setQuery(Target.QueryTarget.newBuilder()
            .setParent(DATABASE + "/documents")
            .setStructuredQuery(StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId("c"))));
    if (!token.isEmpty()) {
      target.setResumeToken(token);
    }
    if (known > 0) {
      target.setExpectedCount(Int32Value.of(known));
    }
    StreamAnswers<ListenResponse> answers = new StreamAnswers<>();
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
