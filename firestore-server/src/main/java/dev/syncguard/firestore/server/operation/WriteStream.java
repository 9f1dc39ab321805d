package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import java.util.UUID;

/**
 * One stream of writes, whatever the protocol it is carried by: a greeting without writes, then one commit per request.
 * Whoever carries it must end it when a request fails: clients send the next ones before they know, and send them again
 * on another stream afterwards. Not thread-safe.
 */
public final class WriteStream {
  private final Commits commits;
  private final AuthContext who;
  private String database = "";
  private String streamId = "";
  private long answered;

  /** Creates the stream of one client, which has not said which database it writes to. */
  public WriteStream(Commits commits, AuthContext who) {
    this.commits = commits;
    this.who = who;
  }

  /** Carries the request out and returns the answer to it. */
  public WriteResponse answer(WriteRequest request) {
    return streamId.isEmpty() ? greet(request) : commit(request);
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
}
