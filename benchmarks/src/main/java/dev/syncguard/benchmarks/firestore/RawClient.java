package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.benchmarks.measure.Participant;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;

/** Commits of single documents without Google's client around them; each thread has a document of its own. */
record RawClient(String name, String host, ManagedChannel channel, AutoCloseable server)
    implements Participant {

  static RawClient of(String name, String host, AutoCloseable server) {
    return new RawClient(name, host, channel(host), server);
  }

  static ManagedChannel channel(String host) {
    return ManagedChannelBuilder.forTarget(host).usePlaintext().build();
  }

  /** Returns the request that sets a number in a document, in a path below the root. */
  static CommitRequest set(String path, long number) {
    return CommitRequest.newBuilder()
        .setDatabase(Clients.DATABASE)
        .addWrites(Write.newBuilder()
            .setUpdate(Document.newBuilder()
                .setName(Clients.DATABASE + "/documents/" + path)
                .putFields("n", Value.newBuilder().setIntegerValue(number).build())))
        .build();
  }

  @Override
  public Worker worker(int thread) {
    FirestoreGrpc.FirestoreBlockingStub stub = FirestoreGrpc.newBlockingStub(channel);
    long[] next = {0};
    return () -> {
      if (!stub.commit(set("documents/" + thread, next[0]++)).hasCommitTime()) {
        throw new IllegalStateException("A commit has no time");
      }
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("A server could not be closed", e);
    }
  }
}
