package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process with a server of so many documents, which says where it listens, what a document weighs and what a vector
 * weighs for each byte of its numbers, and ends when its input does. It is one of its own because a million documents need
 * a large heap.
 */
final class FilledServer {

  /** A collection of ten documents, and a group of as many collections with one document each. */
  static final String FEW = "few";

  static final String GROUP = "group";
  static final int MEMBERS = 10;

  private static final int VECTORS = 2000;
  private static final int DIMENSIONS = 768;
  private static final int BATCH = 1000;
  private static final int COLLECTIONS = 4;

  private FilledServer() {}

  /** Returns the collection that has so many documents. */
  static String collection(int size) {
    return "documents-" + size;
  }

  /**
   * Fills the collections and serves them.
   *
   * @param args how many documents the collections get, ascending
   */
  public static void main(String[] args) throws Exception {
    try (FirestoreServer server = FirestoreServers.open().start()) {
      ManagedChannel channel = RawClient.channel(server.emulatorHost());
      try {
        FirestoreBlockingStub stub = FirestoreGrpc.newBlockingStub(channel);
        fill(stub, FEW, MEMBERS);
        double weight = 0;
        for (String size : args) {
          int count = Integer.parseInt(size);
          long before = usedHeap();
          fill(stub, collection(count), count);
          weight = (double) (usedHeap() - before) / count;
        }
        String parents = collection(Integer.parseInt(args[args.length - 1]));
        for (int i = 0; i < MEMBERS; i++) {
          fill(stub, parents + "/document-" + i + "/" + GROUP, 1);
        }
        long before = usedHeap();
        for (int i = 0; i < VECTORS; i++) {
          commit(stub, List.of(vector(i)));
        }
        double vectors =
            (double) (usedHeap() - before) / ((long) VECTORS * DIMENSIONS * Double.BYTES);
        System.out.println(server.emulatorHost() + " " + weight + " " + vectors);
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
      List<Document> documents = new ArrayList<>();
      for (int i = start; i < Math.min(start + BATCH, count); i++) {
        documents.add(document(collection, i));
      }
      commit(stub, documents);
    }
  }

  private static void commit(FirestoreBlockingStub stub, List<Document> documents) {
    CommitRequest.Builder commit = CommitRequest.newBuilder().setDatabase(Clients.DATABASE);
    documents.forEach(document -> commit.addWrites(Write.newBuilder().setUpdate(document)));
    if (!stub.commit(commit.build()).hasCommitTime()) {
      throw new IllegalStateException("A commit has no time");
    }
  }

  private static Document vector(int number) {
    Random random = new Random(number);
    ArrayValue.Builder numbers = ArrayValue.newBuilder();
    for (int i = 0; i < DIMENSIONS; i++) {
      numbers.addValues(Value.newBuilder().setDoubleValue(random.nextDouble()));
    }
    MapValue vector = MapValue.newBuilder()
        .putFields("__type__", Value.newBuilder().setStringValue("__vector__").build())
        .putFields("value", Value.newBuilder().setArrayValue(numbers).build())
        .build();
    return Document.newBuilder()
        .setName(Clients.DATABASE + "/documents/vectors/vector-" + number)
        .putFields("embedding", Value.newBuilder().setMapValue(vector).build())
        .build();
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
