package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.BeginTransactionResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteResult;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import com.linecorp.armeria.server.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * As little of a Firestore as transactions over documents need, with shared locks on what was read and no eye for
 * deadlocks: a commit waits until nobody else has read its documents, and gives up after two seconds.
 */
final class WaitingLosers extends FirestoreGrpc.FirestoreImplBase implements AutoCloseable {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

  private final Map<String, Document> documents = new HashMap<>();
  private final Map<ByteString, Set<String>> reads = new HashMap<>();
  private long last;
  private final Server server = EchoServer.serve(this, true);

  String emulatorHost() {
    return EchoServer.host(server);
  }

  @Override
  public void beginTransaction(
      BeginTransactionRequest request, StreamObserver<BeginTransactionResponse> client) {
    ByteString id;
    synchronized (this) {
      id = ByteString.copyFromUtf8(Long.toString(++last));
      reads.put(id, new HashSet<>());
    }
    client.onNext(BeginTransactionResponse.newBuilder().setTransaction(id).build());
    client.onCompleted();
  }

  @Override
  public void batchGetDocuments(
      BatchGetDocumentsRequest request, StreamObserver<BatchGetDocumentsResponse> client) {
    for (String name : request.getDocumentsList()) {
      Document found;
      synchronized (this) {
        reads.getOrDefault(request.getTransaction(), new HashSet<>()).add(name);
        found = documents.get(name);
      }
      BatchGetDocumentsResponse.Builder answer =
          BatchGetDocumentsResponse.newBuilder().setReadTime(time());
      client.onNext(
          found == null
              ? answer.setMissing(name).build()
              : answer.setFound(found).build());
    }
    client.onCompleted();
  }

  @Override
  public void commit(CommitRequest request, StreamObserver<CommitResponse> client) {
    boolean done;
    try {
      done = tryCommit(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      done = false;
    }
    if (!done) {
      client.onError(
          Status.ABORTED.withDescription("Transaction lock timeout.").asRuntimeException());
      return;
    }
    CommitResponse.Builder answer = CommitResponse.newBuilder().setCommitTime(time());
    request
        .getWritesList()
        .forEach(write -> answer.addWriteResults(WriteResult.newBuilder().setUpdateTime(time())));
    client.onNext(answer.build());
    client.onCompleted();
  }

  private synchronized boolean tryCommit(CommitRequest request) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE;
    while (isReadByOthers(request)) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        end(request.getTransaction());
        return false;
      }
      wait(millis);
    }
    for (Write write : request.getWritesList()) {
      documents.put(
          write.getUpdate().getName(),
          write.getUpdate().toBuilder()
              .setCreateTime(time())
              .setUpdateTime(time())
              .build());
    }
    end(request.getTransaction());
    return true;
  }

  private boolean isReadByOthers(CommitRequest request) {
    return reads.entrySet().stream()
        .filter(other -> !other.getKey().equals(request.getTransaction()))
        .anyMatch(other -> request.getWritesList().stream()
            .anyMatch(write -> other.getValue().contains(write.getUpdate().getName())));
  }

  private void end(ByteString transaction) {
    reads.remove(transaction);
    notifyAll();
  }

  @Override
  public void rollback(RollbackRequest request, StreamObserver<Empty> client) {
    synchronized (this) {
      end(request.getTransaction());
    }
    client.onNext(Empty.getDefaultInstance());
    client.onCompleted();
  }

  private static Timestamp time() {
    long micros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return Timestamp.newBuilder()
        .setSeconds(micros / 1_000_000)
        .setNanos((int) (micros % 1_000_000) * 1000)
        .build();
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
