package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import com.google.firestore.v1.Target.QueryTarget;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.firestore.v1.Write;
import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.google.protobuf.ByteString;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two streams, message by message. */
@Timeout(60)
class StreamCallsTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String ROOT = DATABASE + "/documents";

  private FirestoreServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().authorizer(Authorizer.open()).start();
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void aQueryIsToldInFullAndThenCommitByCommit() throws Exception {
    set("c/a", 1);
    Inbox<ListenResponse> inbox = new Inbox<>();
    StreamObserver<ListenRequest> stream = FirestoreGrpc.newStub(channel).listen(inbox);
    stream.onNext(add(query("c", -1)).build());
    assertThat(inbox.untilSnapshot()).containsExactly("ADD", "change a", "CURRENT", "NO_CHANGE");
    set("c/b", 1);
    assertThat(inbox.untilSnapshot()).containsExactly("change b", "NO_CHANGE");
    delete("c/a");
    assertThat(inbox.untilSnapshot()).containsExactly("delete a", "NO_CHANGE");
    stream.onCompleted();
    assertThat(inbox.end.get(30, TimeUnit.SECONDS)).isEqualTo(Status.Code.OK);
  }

  @Test
  void aResumedTargetIsToldOnlyWhatChanged() throws Exception {
    set("c/a", 1);
    set("c/b", 1);
    set("c/gone", 1);
    Inbox<ListenResponse> first = new Inbox<>();
    StreamObserver<ListenRequest> stream = FirestoreGrpc.newStub(channel).listen(first);
    stream.onNext(add(query("c", -1)).build());
    first.untilSnapshot();
    ByteString token = first.lastToken;
    stream.onCompleted();
    set("c/b", 2);
    set("c/new", 1);
    delete("c/gone");
    Inbox<ListenResponse> second = new Inbox<>();
    FirestoreGrpc.newStub(channel)
        .listen(second)
        .onNext(add(query("c", -1).setResumeToken(token)).build());
    assertThat(second.untilSnapshot())
        .containsExactly(
            "ADD", "delete gone", "change b", "change new", "filter 3", "CURRENT", "NO_CHANGE");
  }

  @Test
  void theTargetAfterTheLastOneIsRefusedAlone() throws Exception {
    Inbox<ListenResponse> inbox = new Inbox<>();
    StreamObserver<ListenRequest> stream = FirestoreGrpc.newStub(channel).listen(inbox);
    for (int id = 1; id <= 100; id++) {
      stream.onNext(add(query("c", -1).setTargetId(id)).build());
      inbox.untilSnapshot();
    }
    stream.onNext(add(query("c", -1).setTargetId(101)).build());
    ListenResponse refused = inbox.message();
    assertThat(refused.getTargetChange().getTargetChangeType()).isEqualTo(TargetChangeType.REMOVE);
    assertThat(refused.getTargetChange().getTargetIdsList()).containsExactly(101);
    assertThat(refused.getTargetChange().getCause().getCode())
        .isEqualTo(Code.RESOURCE_EXHAUSTED.getNumber());
    set("c/a", 1);
    assertThat(inbox.untilSnapshot()).hasSize(101).endsWith("NO_CHANGE");
  }

  @Test
  void aTargetMayResumeFromATimeWithNanoseconds() throws Exception {
    set("c/a", 1);
    Inbox<ListenResponse> first = new Inbox<>();
    FirestoreGrpc.newStub(channel).listen(first).onNext(add(query("c", -1)).build());
    first.untilSnapshot();
    Timestamp finer = Timestamps.add(Times.timestamp(first.times.get(0)), Durations.fromNanos(999));
    Inbox<ListenResponse> second = new Inbox<>();
    FirestoreGrpc.newStub(channel)
        .listen(second)
        .onNext(add(query("c", -1).setReadTime(finer)).build());
    assertThat(second.untilSnapshot()).containsExactly("ADD", "filter 1", "CURRENT", "NO_CHANGE");
  }

  @Test
  void aTokenThatIsTooOldStartsAnew() throws Exception {
    set("c/a", 1);
    Inbox<ListenResponse> inbox = new Inbox<>();
    FirestoreGrpc.newStub(channel)
        .listen(inbox)
        .onNext(add(query("c", -1).setReadTime(Times.timestamp(1))).build());
    assertThat(inbox.untilSnapshot())
        .containsExactly("ADD", "RESET", "change a", "CURRENT", "NO_CHANGE");
  }

  @Test
  void aTimeThatIsNoneIsRefused() throws Exception {
    Inbox<ListenResponse> inbox = new Inbox<>();
    Timestamp never = Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build();
    FirestoreGrpc.newStub(channel)
        .listen(inbox)
        .onNext(add(query("c", -1).setReadTime(never)).build());
    var refusal = inbox.message().getTargetChange();
    assertThat(refusal.getTargetChangeType()).isEqualTo(TargetChangeType.REMOVE);
    assertThat(refusal.getCause().getCode()).isEqualTo(Code.INVALID_ARGUMENT_VALUE);
  }

  @Test
  void aLimitedQueryIsToldWhatMovesIntoItsWindow() throws Exception {
    set("c/a", 1);
    set("c/b", 1);
    Inbox<ListenResponse> inbox = new Inbox<>();
    FirestoreGrpc.newStub(channel).listen(inbox).onNext(add(query("c", 1)).build());
    assertThat(inbox.untilSnapshot()).containsExactly("ADD", "change a", "CURRENT", "NO_CHANGE");
    delete("c/a");
    assertThat(inbox.untilSnapshot()).containsExactly("delete a", "change b", "NO_CHANGE");
    set("c/a", 2);
    assertThat(inbox.untilSnapshot()).containsExactly("remove b", "change a", "NO_CHANGE");
  }

  @Test
  void aMissingDocumentIsToldAndABadTargetIsRefusedAlone() throws Exception {
    Inbox<ListenResponse> inbox = new Inbox<>();
    StreamObserver<ListenRequest> stream = FirestoreGrpc.newStub(channel).listen(inbox);
    stream.onNext(add(Target.newBuilder()
            .setTargetId(1)
            .setDocuments(DocumentsTarget.newBuilder().addDocuments(ROOT + "/c/none")))
        .build());
    assertThat(inbox.untilSnapshot()).containsExactly("ADD", "delete none", "CURRENT", "NO_CHANGE");
    stream.onNext(
        add(query("c", -1).setTargetId(2).setQuery(QueryTarget.newBuilder().setParent("junk")))
            .build());
    assertThat(inbox.next()).isEqualTo("REMOVE");
    set("c/none", 1);
    assertThat(inbox.untilSnapshot()).containsExactly("change none", "NO_CHANGE");
  }

  @Test
  void theTimesOfSnapshotsNeverGoBack() throws Exception {
    Inbox<ListenResponse> inbox = new Inbox<>();
    StreamObserver<ListenRequest> stream = FirestoreGrpc.newStub(channel).listen(inbox);
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
      for (int i = 0; i < 200; i++) {
        set("c/a", i);
      }
    });
    for (int target = 1; target <= 20; target++) {
      stream.onNext(
          add(query("c", target % 2 == 0 ? 1 : -1).setTargetId(target)).build());
    }
    writer.get(50, TimeUnit.SECONDS);
    set("c/last", 1);
    String message = inbox.next();
    while (!message.equals("change last")) {
      message = inbox.next();
    }
    assertThat(inbox.times).isSorted();
  }

  @Test
  void aWriteStreamGreetsCommitsAndVerifies() throws Exception {
    Inbox<WriteResponse> inbox = new Inbox<>();
    StreamObserver<WriteRequest> stream = FirestoreGrpc.newStub(channel).write(inbox);
    stream.onNext(WriteRequest.newBuilder().setDatabase(DATABASE).build());
    ByteString token = inbox.message().getStreamToken();
    assertThat(token.isEmpty()).isFalse();
    stream.onNext(WriteRequest.newBuilder()
        .setStreamToken(token)
        .addWrites(write("c/a", 1))
        .build());
    assertThat(inbox.message().getWriteResultsCount()).isEqualTo(1);
    Write verify = Write.newBuilder()
        .setUnknownFields(UnknownFieldSet.newBuilder()
            .addField(
                5,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(ROOT + "/c/a"))
                    .build())
            .build())
        .setCurrentDocument(Precondition.newBuilder().setExists(false))
        .build();
    stream.onNext(
        WriteRequest.newBuilder().setStreamToken(token).addWrites(verify).build());
    assertThat(inbox.end.get(30, TimeUnit.SECONDS)).isEqualTo(Status.Code.ALREADY_EXISTS);
  }

  private static ListenRequest.Builder add(Target.Builder target) {
    return ListenRequest.newBuilder().setDatabase(DATABASE).setAddTarget(target);
  }

  private static Target.Builder query(String collection, int limit) {
    StructuredQuery.Builder query = StructuredQuery.newBuilder()
        .addFrom(CollectionSelector.newBuilder().setCollectionId(collection));
    if (limit >= 0) {
      query.setLimit(Int32Value.of(limit));
    }
    return Target.newBuilder()
        .setTargetId(1)
        .setQuery(QueryTarget.newBuilder().setParent(ROOT).setStructuredQuery(query));
  }

  private void set(String path, long value) {
    commit(write(path, value));
  }

  private void delete(String path) {
    commit(Write.newBuilder().setDelete(ROOT + "/" + path).build());
  }

  private static Write write(String path, long value) {
    return Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(ROOT + "/" + path).putFields("v", Values.of(value)))
        .build();
  }

  private void commit(Write write) {
    CommitRequest request =
        CommitRequest.newBuilder().setDatabase(DATABASE).addWrites(write).build();
    assertThat(FirestoreGrpc.newBlockingStub(channel).commit(request).hasCommitTime())
        .isTrue();
  }

  /** Collects what the server says. */
  private static final class Inbox<T> implements StreamObserver<T> {
    final CompletableFuture<Status.Code> end = new CompletableFuture<>();
    final List<Long> times = new ArrayList<>();
    private final BlockingQueue<T> messages = new LinkedBlockingQueue<>();
    private ByteString lastToken = ByteString.EMPTY;

    @Override
    public void onNext(T message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable cause) {
      end.complete(Status.fromThrowable(cause).getCode());
    }

    @Override
    public void onCompleted() {
      end.complete(Status.Code.OK);
    }

    T message() throws InterruptedException {
      T message = messages.poll(30, TimeUnit.SECONDS);
      assertThat(message).as("a message in time").isNotNull();
      return message;
    }

    List<String> untilSnapshot() throws InterruptedException {
      List<String> told = new ArrayList<>();
      do {
        told.add(next());
      } while (!told.get(told.size() - 1).equals("NO_CHANGE"));
      return told;
    }

    String next() throws InterruptedException {
      ListenResponse message = (ListenResponse) message();
      return switch (message.getResponseTypeCase()) {
        case TARGET_CHANGE -> {
          if (message.getTargetChange().getTargetChangeType() == TargetChangeType.NO_CHANGE) {
            lastToken = message.getTargetChange().getResumeToken();
            times.add(Times.micros(message.getTargetChange().getReadTime()));
          }
          yield message.getTargetChange().getTargetChangeType().name();
        }
        case DOCUMENT_CHANGE ->
          "change " + id(message.getDocumentChange().getDocument().getName());
        case DOCUMENT_DELETE -> "delete " + id(message.getDocumentDelete().getDocument());
        case DOCUMENT_REMOVE -> "remove " + id(message.getDocumentRemove().getDocument());
        case FILTER -> "filter " + message.getFilter().getCount();
        default -> message.toString();
      };
    }

    private static String id(String name) {
      return name.substring(name.lastIndexOf('/') + 1);
    }
  }
}
