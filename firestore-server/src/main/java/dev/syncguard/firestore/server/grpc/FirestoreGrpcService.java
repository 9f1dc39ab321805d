package dev.syncguard.firestore.server.grpc;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BatchWriteResponse;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.BeginTransactionResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.CreateDocumentRequest;
import com.google.firestore.v1.DeleteDocumentRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.ExecutePipelineRequest;
import com.google.firestore.v1.ExecutePipelineResponse;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.ListCollectionIdsRequest;
import com.google.firestore.v1.ListCollectionIdsResponse;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.ListDocumentsResponse;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.PartitionQueryResponse;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.RunAggregationQueryRequest;
import com.google.firestore.v1.RunAggregationQueryResponse;
import com.google.firestore.v1.RunQueryRequest;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.UpdateDocumentRequest;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.Empty;
import com.google.protobuf.MessageLite;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.annotation.Blocking;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.BearerTokens;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Messages;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.operation.Queries;
import dev.syncguard.firestore.server.operation.WriteStream;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Firestore's gRPC service. Thread-safe.
 *
 * <p>Calls come on the threads that read from sockets, which must never wait. What is sure not to wait is answered there,
 * because handing a call to another thread costs more than a read; everything else gets a thread that may.
 */
public final class FirestoreGrpcService extends FirestoreGrpc.FirestoreImplBase {
  private final Operations operations;
  private final Listeners listeners;
  private final Executor executor;

  /**
   * @param listeners where those who listen are known
   * @param executor runs the listeners
   */
  public FirestoreGrpcService(Operations operations, Listeners listeners, Executor executor) {
    this.operations = operations;
    this.listeners = listeners;
    this.executor = executor;
  }

  @Override
  public void getDocument(GetDocumentRequest request, StreamObserver<Document> client) {
    boolean prompt = isPrompt(who -> operations.reads().isPrompt(who, request));
    run(prompt, () -> answer(client, who -> operations.reads().get(who, request)));
  }

  @Blocking
  @Override
  public void listDocuments(
      ListDocumentsRequest request, StreamObserver<ListDocumentsResponse> client) {
    answer(client, who -> operations.lists().list(who, request));
  }

  @Blocking
  @Override
  public void createDocument(CreateDocumentRequest request, StreamObserver<Document> client) {
    done(client, who -> operations.writes().create(who, request, FirestoreGrpcService::reserve));
  }

  @Blocking
  @Override
  public void updateDocument(UpdateDocumentRequest request, StreamObserver<Document> client) {
    done(client, who -> operations.writes().update(who, request, FirestoreGrpcService::reserve));
  }

  @Blocking
  @Override
  public void deleteDocument(DeleteDocumentRequest request, StreamObserver<Empty> client) {
    done(client, who -> {
      operations.writes().delete(who, request);
      return Empty.getDefaultInstance();
    });
  }

  @Override
  public void batchGetDocuments(
      BatchGetDocumentsRequest request, StreamObserver<BatchGetDocumentsResponse> client) {
    StreamedAnswer<BatchGetDocumentsResponse> answer = streamed(client);
    boolean prompt = isPrompt(who -> operations.reads().isPrompt(who, request));
    run(prompt, () -> stream(client, answer, who -> operations.reads().batchGet(who, request)));
  }

  @Blocking
  @Override
  public void beginTransaction(
      BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> client) {
    done(client, who -> operations.commits().begin(who, request));
  }

  @Blocking
  @Override
  public void commit(CommitRequest request, StreamObserver<CommitResponse> client) {
    done(client, who -> operations.commits().commit(who, request));
  }

  @Blocking
  @Override
  public void rollback(RollbackRequest request, StreamObserver<Empty> client) {
    done(client, who -> {
      operations.commits().rollback(request);
      return Empty.getDefaultInstance();
    });
  }

  @Blocking
  @Override
  public void runQuery(RunQueryRequest request, StreamObserver<RunQueryResponse> client) {
    stream(client, who -> operations.queries().run(who, request));
  }

  @Blocking
  @Override
  public void runAggregationQuery(
      RunAggregationQueryRequest request, StreamObserver<RunAggregationQueryResponse> client) {
    stream(client, who -> operations.queries().aggregate(who, request));
  }

  @Blocking
  @Override
  public void partitionQuery(
      PartitionQueryRequest request, StreamObserver<PartitionQueryResponse> client) {
    answer(client, who -> operations.queries().partition(who, request));
  }

  @Blocking
  @Override
  public void listCollectionIds(
      ListCollectionIdsRequest request, StreamObserver<ListCollectionIdsResponse> client) {
    answer(client, who -> operations.reads().listCollectionIds(who, request));
  }

  @Blocking
  @Override
  public void batchWrite(BatchWriteRequest request, StreamObserver<BatchWriteResponse> client) {
    done(client, who -> operations.commits().batchWrite(who, request));
  }

  @Override
  public void executePipeline(
      ExecutePipelineRequest request, StreamObserver<ExecutePipelineResponse> client) {
    client.onError(GrpcErrors.translate(Queries.noPipelines()));
  }

  @Blocking
  @Override
  public StreamObserver<ListenRequest> listen(StreamObserver<ListenResponse> client) {
    return new ListenCall(
        operations, listeners, who(), (ServerCallStreamObserver<ListenResponse>) client, executor);
  }

  @Blocking
  @Override
  public StreamObserver<WriteRequest> write(StreamObserver<WriteResponse> client) {
    return new WriteCall(new WriteStream(operations.commits(), who()), client);
  }

  /** Answers a question. An answer that is too large for the moment is refused. */
  private static <T extends MessageLite> void answer(
      StreamObserver<T> client, Function<AuthContext, T> question) {
    done(client, who -> {
      T answer = question.apply(who);
      reserve(answer);
      return answer;
    });
  }

  private static void reserve(MessageLite answer) {
    RequestBudget.charge(ServiceRequestContext.current(), answer.getSerializedSize());
  }

  /**
   * Answers when something is done. That is never refused any more: either its size has been reserved before, or it is
   * shorter than the request, which still counts.
   */
  private static <T extends MessageLite> void done(
      StreamObserver<T> client, Function<AuthContext, T> operation) {
    T answer;
    try {
      answer = operation.apply(who());
    } catch (Throwable e) { // on a thread of ours nobody else would answer
      client.onError(GrpcErrors.translate(e));
      return;
    }
    client.onNext(answer);
    client.onCompleted();
  }

  private static <T extends MessageLite> void stream(
      StreamObserver<T> client, Function<AuthContext, Messages<T>> operation) {
    stream(client, streamed(client), operation);
  }

  private static <T extends MessageLite> StreamedAnswer<T> streamed(StreamObserver<T> client) {
    return new StreamedAnswer<>(
        (ServerCallStreamObserver<T>) client,
        ServiceRequestContext.current().blockingTaskExecutor());
  }

  private static <T extends MessageLite> void stream(
      StreamObserver<T> client,
      StreamedAnswer<T> streamed,
      Function<AuthContext, Messages<T>> operation) {
    Messages<T> answer;
    try {
      answer = operation.apply(who());
    } catch (Throwable e) { // on a thread of ours nobody else would answer
      client.onError(GrpcErrors.translate(e));
      return;
    }
    streamed.send(answer);
  }

  /** Asks whether a request needs no thread; one that cannot be read is refused where the others are. */
  private static boolean isPrompt(Predicate<AuthContext> question) {
    try {
      return question.test(who());
    } catch (FirestoreServerException e) {
      return false;
    }
  }

  private static void run(boolean prompt, Runnable answer) {
    if (prompt) {
      answer.run();
    } else {
      ServiceRequestContext.current().blockingTaskExecutor().execute(answer);
    }
  }

  private static AuthContext who() {
    return BearerTokens.parse(
        ServiceRequestContext.current().request().headers().get(HttpHeaderNames.AUTHORIZATION));
  }
}
