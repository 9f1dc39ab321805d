package dev.syncguard.firestore.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.WriteBatch;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.ListCollectionIdsRequest;
import com.google.firestore.v1.ListDocumentsRequest;
import com.google.firestore.v1.PartitionQueryRequest;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page token names a position, so a list goes on from there whatever comes and goes between two pages. */
class PagingTest {
  private static final String DATABASE = "projects/demo/databases/(default)";
  private static final String ROOT = DATABASE + "/documents";
  private static final int IDS = 60;
  private static final int SEEDS = 25;

  private FirestoreServer server;
  private ManagedChannel channel;
  private FirestoreBlockingStub stub;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    Metadata owner = new Metadata();
    owner.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    stub = FirestoreGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void aCollectionCanBeEmptiedWhileItIsListed() throws Exception {
    try (Firestore firestore = FirestoreOptions.newBuilder()
        .setProjectId("demo")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService()) {
      CollectionReference collection = firestore.collection("c");
      WriteBatch batch = firestore.batch();
      IntStream.range(0, 700).forEach(i -> batch.set(collection.document("d" + i), Map.of("n", i)));
      batch.commit().get();
      for (DocumentReference document : collection.listDocuments()) {
        document.delete().get();
      }
      assertThat(collection.get().get().size()).isZero();
    }
  }

  /** What can be listed page by page, and how an item of it is made. */
  enum Kind {
    DOCUMENTS,
    DOCUMENTS_BY_FIELD,
    MISSING_DOCUMENTS,
    COLLECTION_IDS,
    PARTITIONS;

    String document(String id) {
      return ROOT
          + switch (this) {
            case MISSING_DOCUMENTS -> "/c/" + id + "/below/x";
            case COLLECTION_IDS -> "/" + id + "/x";
            default -> "/c/" + id;
          };
    }
  }

  private record Page(List<String> items, String next) {}

  @ParameterizedTest
  @EnumSource
  void whatIsThereAllAlongIsListedOnceAndNothingTwice(Kind kind) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      new History(kind, seed).run();
    }
  }

  /** A list that is read page by page while others write. */
  private final class History {
    private final Kind kind;
    private final Random random;
    private final String where;
    private final Set<String> present = new TreeSet<>();
    private final Set<String> everPresent = new TreeSet<>();

    History(Kind kind, long seed) {
      this.kind = kind;
      this.random = new Random(seed);
      this.where = kind + " seed " + seed;
    }

    void run() {
      server.clear();
      for (int i = 0; i < IDS; i += 1 + random.nextInt(3)) {
        put(id(i));
      }
      Set<String> always = new TreeSet<>(present);
      List<String> listed = new ArrayList<>();
      String token = "";
      int pages = 0;
      do {
        Page page = page(1 + random.nextInt(7), token);
        listed.addAll(page.items());
        token = page.next();
        change();
        always.retainAll(present);
        assertThat(++pages).as(where + " ends").isLessThanOrEqualTo(IDS + 1);
      } while (!token.isEmpty());
      assertThat(listed).as(where + " is in order, without repetition").isSorted();
      assertThat(listed).as(where).doesNotHaveDuplicates();
      assertThat(everPresent).as(where + " invents nothing").containsAll(listed);
      if (kind == Kind.PARTITIONS) {
        assertThat(after(listed, always)).as(where + " goes on to the end").isLessThan(IDS / 4);
      } else {
        assertThat(listed).as(where).containsAll(always);
      }
    }

    private static long after(List<String> cuts, Set<String> ids) {
      String last = cuts.get(cuts.size() - 1);
      return ids.stream().filter(id -> id.compareTo(last) > 0).count();
    }

    private void change() {
      for (int i = random.nextInt(6); i > 0; i--) {
        String id = id(random.nextInt(IDS));
        if (present.contains(id)) {
          present.remove(id);
          commit(Write.newBuilder().setDelete(kind.document(id)));
        } else {
          put(id);
        }
      }
    }

    private void put(String id) {
      present.add(id);
      everPresent.add(id);
      commit(Write.newBuilder()
          .setUpdate(
              Document.newBuilder().setName(kind.document(id)).putFields("f", Values.of(id))));
    }

    private Page page(int size, String token) {
      return switch (kind) {
        case DOCUMENTS -> documents(documentsRequest(size, token));
        case DOCUMENTS_BY_FIELD -> documents(documentsRequest(size, token).setOrderBy("f"));
        case MISSING_DOCUMENTS ->
          documents(documentsRequest(size, token)
              .setShowMissing(true)
              .setMask(DocumentMask.getDefaultInstance()));
        case COLLECTION_IDS -> {
          var answer = stub.listCollectionIds(ListCollectionIdsRequest.newBuilder()
              .setParent(ROOT)
              .setPageSize(size)
              .setPageToken(token)
              .build());
          yield new Page(answer.getCollectionIdsList(), answer.getNextPageToken());
        }
        case PARTITIONS -> {
          var answer = stub.partitionQuery(PartitionQueryRequest.newBuilder()
              .setParent(ROOT)
              .setStructuredQuery(StructuredQuery.newBuilder()
                  .addFrom(
                      CollectionSelector.newBuilder().setCollectionId("c").setAllDescendants(true)))
              .setPartitionCount(20)
              .setPageSize(size)
              .setPageToken(token)
              .build());
          yield new Page(
              answer.getPartitionsList().stream()
                  .map(cursor -> lastId(cursor.getValues(0).getReferenceValue()))
                  .toList(),
              answer.getNextPageToken());
        }
      };
    }
  }

  private static ListDocumentsRequest.Builder documentsRequest(int size, String token) {
    return ListDocumentsRequest.newBuilder()
        .setParent(ROOT)
        .setCollectionId("c")
        .setPageSize(size)
        .setPageToken(token);
  }

  private Page documents(ListDocumentsRequest.Builder request) {
    var answer = stub.listDocuments(request.build());
    return new Page(
        answer.getDocumentsList().stream()
            .map(document -> lastId(document.getName()))
            .toList(),
        answer.getNextPageToken());
  }

  private void commit(Write.Builder write) {
    stub.commit(
        CommitRequest.newBuilder().setDatabase(DATABASE).addWrites(write).build());
  }

  private static String id(int i) {
    return String.format("d%02d", i);
  }

  private static String lastId(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
