package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old clients call {@code google.firestore.v1beta1.Firestore}, with the same messages. */
@Timeout(60)
class BetaCallsTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String NAME = DATABASE + "/documents/c/d";

  private FirestoreServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().authorizer(Authorizer.open()).start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void whatIsCommittedIsRead() {
    commit();
    Document read = unary(
        FirestoreGrpc.getGetDocumentMethod(),
        GetDocumentRequest.newBuilder().setName(NAME).build());
    assertThat(read.getFieldsOrThrow("a")).isEqualTo(Values.of(1L));
  }

  @Test
  void aQueryStreamsItsResults() {
    commit();
    Iterator<RunQueryResponse> results = ClientCalls.blockingServerStreamingCall(
        channel,
        beta(FirestoreGrpc.getRunQueryMethod()),
        CallOptions.DEFAULT,
        RunQueryRequest.newBuilder()
            .setParent(DATABASE + "/documents")
            .setStructuredQuery(StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId("c")))
            .build());
    assertThat(results.next().getDocument().getName()).isEqualTo(NAME);
  }

  @Test
  void aListenerIsTold() throws Exception {
    BlockingQueue<ListenResponse> told = new LinkedBlockingQueue<>();
    StreamObserver<ListenRequest> stream = ClientCalls.asyncBidiStreamingCall(
        channel.newCall(beta(FirestoreGrpc.getListenMethod()), CallOptions.DEFAULT),
        new StreamObserver<>() {
          @Override
          public void onNext(ListenResponse response) {
            told.add(response);
          }

          @Override
          public void onError(Throwable failure) {}

          @Override
          public void onCompleted() {}
        });
    stream.onNext(ListenRequest.newBuilder()
        .setDatabase(DATABASE)
        .setAddTarget(Target.newBuilder()
            .setTargetId(1)
            .setDocuments(DocumentsTarget.newBuilder().addDocuments(NAME)))
        .build());
    assertThat(told.poll(30, TimeUnit.SECONDS)).matches(ListenResponse::hasTargetChange);
    commit();
    ListenResponse next = told.poll(30, TimeUnit.SECONDS);
    while (next != null && !next.hasDocumentChange()) {
      next = told.poll(30, TimeUnit.SECONDS);
    }
    assertThat(next).isNotNull();
    stream.onCompleted();
  }

  @Test
  void anErrorIsTheSame() {
    GetDocumentRequest missing = GetDocumentRequest.newBuilder().setName(NAME).build();
    assertThatThrownBy(() -> unary(FirestoreGrpc.getGetDocumentMethod(), missing))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
  }

  private void commit() {
    var unused = unary(
        FirestoreGrpc.getCommitMethod(),
        CommitRequest.newBuilder()
            .setDatabase(DATABASE)
            .addWrites(Write.newBuilder()
                .setUpdate(Document.newBuilder().setName(NAME).putFields("a", Values.of(1L))))
            .build());
  }

  private <Q, A> A unary(MethodDescriptor<Q, A> method, Q request) {
    return ClientCalls.blockingUnaryCall(channel, beta(method), CallOptions.DEFAULT, request);
  }

  private static <Q, A> MethodDescriptor<Q, A> beta(MethodDescriptor<Q, A> method) {
    return method.toBuilder()
        .setFullMethodName("google.firestore.v1beta1.Firestore/" + method.getBareMethodName())
        .build();
  }
}
