package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A process with a server of so many documents, which says where it listens and what a document weighs, and ends when its
 * input does. It is one of its own because a million documents need a large heap.
 */
final class FilledServer {

  static final String SMALL = "small";
  static final String LARGE = "large";
  static final int FEW = 1000;
  private static final int BATCH = 1000;
  private static final int COLLECTIONS = 4;

  private FilledServer() {}

  /**
   * Fills the collections and serves them.
   *
   * @param args how many documents the large collection gets
   */
  public static void main(String[] args) throws Exception {
    int many = Integer.parseInt(args[0]);
    try (FirestoreServer server =
        FirestoreServer.builder().authorizer(Authorizer.open()).start()) {
      ManagedChannel channel =
          ManagedChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
      try {
        FirestoreBlockingStub stub = FirestoreGrpc.newBlockingStub(channel);
        fill(stub, SMALL, FEW);
        long before = usedHeap();
        fill(stub, LARGE, many);
        System.out.println(server.emulatorHost() + " " + (double) (usedHeap() - before) / many);
      } finally {
        channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
      }
      awaitEnd();
    }
  }

  private static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {
      // Nobody says anything; what counts is the end.
    }
  }

  private static void fill(FirestoreBlockingStub stub, String collection, int count) {
    for (int start = 0; start < count; start += BATCH) {
      CommitRequest.Builder commit = CommitRequest.newBuilder().setDatabase(Clients.DATABASE);
      for (int i = start; i < Math.min(start + BATCH, count); i++) {
        commit.addWrites(Write.newBuilder().setUpdate(document(collection, i)));
      }
      if (!stub.commit(commit.build()).hasCommitTime()) {
        throw new IllegalStateException("A commit has no time");
      }
    }
  }

  /** A number that tells it from all others, and two more fields, as small documents have. */
  private static Document document(String collection, int number) {
    return Document.newBuilder()
        .setName(Clients.DATABASE + "/documents/" + collection + "/document-" + number)
        .putFields("number", Value.newBuilder().setIntegerValue(number).build())
        .putFields(
            "name", Value.newBuilder().setStringValue("name of " + number).build())
        .putFields("done", Value.newBuilder().setBooleanValue(number % 2 == 0).build())
        .build();
  }

  private static long usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(20);
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
