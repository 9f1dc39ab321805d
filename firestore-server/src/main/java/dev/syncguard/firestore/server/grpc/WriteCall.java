package dev.syncguard.firestore.server.grpc;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.ByteString;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.operation.Commits;
import io.grpc.stub.StreamObserver;
import java.util.UUID;

/** A Write call: a greeting without writes, then one commit per request, each answered in turn. */
final class WriteCall implements StreamObserver<WriteRequest> {
  private final Commits commits;
  private final AuthContext who;
  private final StreamObserver<WriteResponse> client;
  private final ServiceRequestContext ctx = ServiceRequestContext.current();
  private String database = "";
  private String streamId = "";
  private long answered;
  private boolean over;

  WriteCall(Commits commits, AuthContext who, StreamObserver<WriteResponse> client) {
    this.commits = commits;
    this.who = who;
    this.client = client;
  }

  @Override
  public void onNext(WriteRequest request) {
    if (over) {
      return;
    }
    try {
      Connections.begun(ctx);
      RequestBudget.settle(ctx);
      client.onNext(streamId.isEmpty() ? greet(request) : commit(request));
    } catch (RuntimeException e) {
      over = true;
      client.onError(GrpcErrors.translate(e));
    }
  }

  private WriteResponse greet(WriteRequest request) {
    if (request.getDatabase().isEmpty()) {
      throw FirestoreServerException.invalid("'database' must be set on an initial write request.");
    }
    if (request.getWritesCount() > 0) {
      throw FirestoreServerException.invalid(
          "'writes' must not be set on an initial write request.");
    }
    database = request.getDatabase();
    streamId =
        request.getStreamId().isEmpty() ? UUID.randomUUID().toString() : request.getStreamId();
    return answer(WriteResponse.newBuilder().setStreamId(streamId));
  }

  private WriteResponse commit(WriteRequest request) {
    CommitResponse result = commits.commit(
        who,
        CommitRequest.newBuilder()
            .setDatabase(database)
            .addAllWrites(request.getWritesList())
            .build());
    return answer(WriteResponse.newBuilder()
        .setStreamId(streamId)
        .addAllWriteResults(result.getWriteResultsList())
        .setCommitTime(result.getCommitTime()));
  }

  private WriteResponse answer(WriteResponse.Builder response) {
    return response
        .setStreamToken(ByteString.copyFromUtf8(Long.toString(++answered)))
        .build();
  }

  @Override
  public void onError(Throwable cause) {
    over = true;
  }

  @Override
  public void onCompleted() {
    if (!over) {
      over = true;
      client.onCompleted();
    }
  }
}
