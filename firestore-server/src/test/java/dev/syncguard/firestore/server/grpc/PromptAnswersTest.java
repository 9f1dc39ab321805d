package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BeginTransactionRequest;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.FirestoreGrpc.FirestoreBlockingStub;
import com.google.firestore.v1.FirestoreGrpc.FirestoreFutureStub;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.RollbackRequest;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Access;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what is sure not to wait is answered by a thread that reads from sockets. */
class PromptAnswersTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String NAME = DATABASE + "/documents/c/d";
  /** More than there are threads that read from sockets. */
  private static final int WAITING = 20;

  /** Remembers which thread asked it last. */
  private static final class Witness implements Authorizer {
    private volatile String thread = "";
    private volatile boolean prompt = true;

    @Override
    public void authorize(AuthContext who, Access what) {
      thread = Thread.currentThread().getName().replaceFirst("-[0-9-]+$", "");
    }

    @Override
    public boolean isPrompt(AuthContext who, DatabaseName database) {
      return prompt;
    }
  }

  private final Witness witness = new Witness();
  private FirestoreServer server;
  private ManagedChannel channel;
  private FirestoreBlockingStub stub;
  private FirestoreFutureStub calls;

  @BeforeEach
  void start() {
    start(FirestoreServer.builder().authorizer(witness).start());
  }

  private void start(FirestoreServer started) {
    server = started;
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    Metadata owner = new Metadata();
    owner.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer owner");
    stub = FirestoreGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
    calls = FirestoreGrpc.newFutureStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(owner));
    stub.commit(write(ByteString.EMPTY)); // the database springs into being
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void plainReadsOfADatabaseInMemoryNeedNoOtherThread() {
    assertThat(threads()).containsExactly("firestore-io", "firestore-io", "firestore-request");
  }

  @Test
  void whoIsNotJudgedAtOnceGetsAThread() {
    witness.prompt = false;
    assertThat(threads())
        .containsExactly("firestore-request", "firestore-request", "firestore-request");
  }

  @Test
  void whatIsOnDiskGetsAThread(@TempDir Path directory) throws InterruptedException {
    stop();
    start(FirestoreServer.builder().authorizer(witness).dataDirectory(directory).start());
    assertThat(threads())
        .containsExactly("firestore-request", "firestore-request", "firestore-request");
  }

  private List<String> threads() {
    List<String> threads = new ArrayList<>();
    stub.getDocument(get());
    threads.add(witness.thread);
    stub.batchGetDocuments(BatchGetDocumentsRequest.newBuilder()
            .setDatabase(DATABASE)
            .addDocuments(NAME)
            .build())
        .forEachRemaining(answer -> assertThat(answer.hasFound()).isTrue());
    threads.add(witness.thread);
    stub.commit(write(ByteString.EMPTY));
    threads.add(witness.thread);
    return threads;
  }

  @Test
  void commitsThatWaitForATransactionKeepNobodyFromReading() throws Exception {
    ByteString transaction = stub.beginTransaction(
            BeginTransactionRequest.newBuilder().setDatabase(DATABASE).build())
        .getTransaction();
    stub.getDocument(get().toBuilder().setTransaction(transaction).build());
    assertThat(witness.thread).isEqualTo("firestore-request");
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(calls.commit(write(ByteString.EMPTY)));
    }
    for (int i = 0; i < WAITING; i++) {
      assertThat(calls.getDocument(get()).get(30, TimeUnit.SECONDS).getName()).isEqualTo(NAME);
    }
    assertThat(waiting).noneMatch(Future::isDone);
    stub.rollback(RollbackRequest.newBuilder()
        .setDatabase(DATABASE)
        .setTransaction(transaction)
        .build());
    for (Future<?> commit : waiting) {
      commit.get(30, TimeUnit.SECONDS);
    }
  }

  private static GetDocumentRequest get() {
    return GetDocumentRequest.newBuilder().setName(NAME).build();
  }

  private static CommitRequest write(ByteString transaction) {
    return CommitRequest.newBuilder()
        .setDatabase(DATABASE)
        .setTransaction(transaction)
        .addWrites(Write.newBuilder()
            .setUpdate(Document.newBuilder().setName(NAME).putFields("v", Values.of(1))))
        .build();
  }
}
