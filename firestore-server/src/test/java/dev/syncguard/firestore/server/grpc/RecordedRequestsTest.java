package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.ManagedChannel;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a phone was recorded to send, sent again under the host that it would name. */
@Timeout(180)
class RecordedRequestsTest {
  /** Call by call, byte by byte, but for the token of a stream, which the server gives. */
  @Test
  void whatTheSdkForAndroidHasSentIsAnswered() throws Exception {
    List<RecordedRequests.Call> calls = RecordedRequests.read();
    assertThat(calls)
        .extracting(call -> call.method().substring(call.method().indexOf('/') + 1))
        .contains("Write", "Listen", "BatchGetDocuments", "Commit", "RunAggregationQuery");
    try (FirestoreServer server = PhoneClientsTest.serverForPhones()) {
      ManagedChannel channel = PhoneClientsTest.connect(server);
      for (RecordedRequests.Call call : calls) {
        replay(call, channel);
      }
      channel.shutdownNow();
    }
  }

  private static void replay(RecordedRequests.Call call, ManagedChannel channel) throws Exception {
    FirestoreGrpc.FirestoreStub stub = FirestoreGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(call.metadata()));
    ByteString first = call.messages().get(0);
    switch (call.method().substring(call.method().indexOf('/') + 1)) {
      case "Write" -> {
        assertThat(WriteRequest.parseFrom(first))
            .isEqualTo(
                WriteRequest.newBuilder().setDatabase(PhoneClientsTest.DATABASE).build());
        StreamAnswers<WriteResponse> answers = new StreamAnswers<>();
        StreamObserver<WriteRequest> stream = stub.write(answers);
        stream.onNext(WriteRequest.parseFrom(first));
        for (ByteString message : call.messages().subList(1, call.messages().size())) {
          stream.onNext(WriteRequest.parseFrom(message).toBuilder()
              .setStreamToken(answers.next().getStreamToken())
              .build());
        }
        assertThat(answers.next().getStreamToken()).isNotEmpty();
      }
      case "Listen" -> {
        StreamAnswers<ListenResponse> answers = new StreamAnswers<>();
        StreamObserver<ListenRequest> stream = stub.listen(answers);
        for (ByteString message : call.messages()) {
          stream.onNext(ListenRequest.parseFrom(message));
        }
        assertThat(answers.next().getTargetChange().getTargetChangeType())
            .isEqualTo(TargetChangeType.ADD);
      }
      case "BatchGetDocuments" -> {
        StreamAnswers<BatchGetDocumentsResponse> answers = new StreamAnswers<>();
        stub.batchGetDocuments(BatchGetDocumentsRequest.parseFrom(first), answers);
        assertThat(answers.next().hasFound()).isTrue();
      }
      case "RunAggregationQuery" -> {
        StreamAnswers<RunAggregationQueryResponse> answers = new StreamAnswers<>();
        stub.runAggregationQuery(RunAggregationQueryRequest.parseFrom(first), answers);
        assertThat(answers.next().getResult().getAggregateFieldsMap()).isNotEmpty();
      }
      case "Commit" -> {
        StreamAnswers<CommitResponse> answers = new StreamAnswers<>();
        stub.commit(CommitRequest.parseFrom(first), answers);
        assertThat(answers.next().getWriteResultsCount()).isPositive();
      }
      default -> throw new AssertionError("Nobody replays " + call.method());
    }
  }
}
