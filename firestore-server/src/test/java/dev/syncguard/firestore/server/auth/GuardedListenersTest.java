package dev.syncguard.firestore.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import com.google.firestore.v1.Target.QueryTarget;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A listener sees nothing that it could not read at that moment. */
class GuardedListenersTest {
  private static final String DATABASE = "projects/p/databases/(default)";
  private static final String ROOT = DATABASE + "/documents";
  private static final String RULES = """
      service cloud.firestore {
        match /databases/{database}/documents {
          match /board/{id} {
            allow read;
          }
          match /club/{id} {
            allow read: if get(/databases/$(database)/documents/members/$(request.auth.uid)).data.active;
          }
          match /drafts/{id} {
            allow get: if resource == null || resource.data.published;
          }
        }
      }
      """;
  private static final String MEMBER = "'active':{'booleanValue':true}";
  private static final String FORMER = "'active':{'booleanValue':false}";

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private FirestoreServer server;
  private RestClient owner;
  private ManagedChannel channel;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().rules(RULES).time(now::get).start();
    owner = RestClient.owner(server);
    channel =
        NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void aTargetThatMayNotBeSeenIsRefusedAlone() throws Exception {
    Inbox inbox = new Inbox();
    StreamObserver<ListenRequest> stream = listen("{'sub':'ann'}", inbox);
    stream.onNext(collection(1, "club"));
    assertThat(inbox.next()).isEqualTo("REMOVE 1 PERMISSION_DENIED");
    stream.onNext(collection(2, "board"));
    assertThat(inbox.untilSnapshot()).containsExactly("ADD 2", "CURRENT 2", "NO_CHANGE");
  }

  @Test
  void aListenerIsJudgedAgainWhenWhatItsRightDependsOnChanges() throws Exception {
    owner.set("/members/ann", MEMBER);
    Inbox inbox = new Inbox();
    StreamObserver<ListenRequest> stream = listen("{'sub':'ann'}", inbox);
    stream.onNext(collection(1, "club"));
    assertThat(inbox.untilSnapshot()).containsExactly("ADD 1", "CURRENT 1", "NO_CHANGE");
    stream.onNext(collection(2, "board"));
    inbox.untilSnapshot();
    owner.set("/club/a", "");
    assertThat(inbox.untilSnapshot()).containsExactly("change a", "NO_CHANGE");
    owner.set("/members/bob", FORMER);
    owner.set("/members/ann", FORMER);
    assertThat(inbox.untilSnapshot()).containsExactly("REMOVE 1 PERMISSION_DENIED", "NO_CHANGE");
    owner.set("/club/secret", "");
    owner.set("/board/b", "");
    assertThat(inbox.untilSnapshot()).containsExactly("change b", "NO_CHANGE");
  }

  @Test
  void aCommitThatTakesTheRightAwayIsNotTold() throws Exception {
    owner.set("/members/ann", MEMBER);
    Inbox inbox = new Inbox();
    listen("{'sub':'ann'}", inbox).onNext(collection(1, "club"));
    inbox.untilSnapshot();
    String name = "{'update':{'name':'" + ROOT;
    owner.status(
        "POST",
        ":commit",
        "{'writes':[" + name + "/club/secret'}}," + name + "/members/ann','fields':{" + FORMER
            + "}}}]}");
    assertThat(inbox.untilSnapshot()).containsExactly("REMOVE 1 PERMISSION_DENIED", "NO_CHANGE");
  }

  @Test
  void aDocumentIsJudgedByItsOwnFieldsWheneverTheyChange() throws Exception {
    Inbox inbox = new Inbox();
    listen("", inbox)
        .onNext(add(Target.newBuilder()
            .setTargetId(1)
            .setDocuments(DocumentsTarget.newBuilder().addDocuments(ROOT + "/drafts/d"))));
    assertThat(inbox.untilSnapshot())
        .containsExactly("ADD 1", "delete d", "CURRENT 1", "NO_CHANGE");
    owner.set("/drafts/d", "'published':{'booleanValue':true}");
    assertThat(inbox.untilSnapshot()).containsExactly("change d", "NO_CHANGE");
    owner.set("/drafts/d", "'published':{'booleanValue':false}");
    assertThat(inbox.untilSnapshot()).containsExactly("REMOVE 1 PERMISSION_DENIED", "NO_CHANGE");
  }

  @Test
  void otherRulesHoldForThoseWhoAlreadyListen() throws Exception {
    Inbox inbox = new Inbox();
    listen("", inbox).onNext(collection(1, "board"));
    inbox.untilSnapshot();
    String rules =
        "service cloud.firestore { match /databases/{d}/documents/club/{i} { allow read; } }";
    assertThat(owner
            .send(
                "PUT",
                "/emulator/v1/projects/p:securityRules",
                "{\"rules\":{\"files\":[{\"content\":\"" + rules + "\"}]}}")
            .status())
        .isEqualTo(200);
    assertThat(inbox.next()).isEqualTo("REMOVE 1 PERMISSION_DENIED");
  }

  @Test
  void aTokenThatWasGoodEndsTheStreamWhenItIsOver() throws Exception {
    long end = START.getEpochSecond() + 3600;
    Inbox good = new Inbox();
    listen("{'sub':'ann','exp':" + end + "}", good).onNext(collection(1, "board"));
    good.untilSnapshot();
    Inbox madeForTests = new Inbox();
    listen("{'sub':'ann','iat':0,'exp':3600}", madeForTests).onNext(collection(1, "board"));
    madeForTests.untilSnapshot();
    now.set(START.plusSeconds(3600));
    assertThat(good.end.get(30, TimeUnit.SECONDS)).isEqualTo(Status.Code.UNAUTHENTICATED);
    owner.set("/board/b", "");
    assertThat(madeForTests.untilSnapshot()).containsExactly("change b", "NO_CHANGE");
  }

  private StreamObserver<ListenRequest> listen(String claims, Inbox inbox) {
    Metadata headers = new Metadata();
    if (!claims.isEmpty()) {
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
          "Bearer " + RestClient.unsigned(claims));
    }
    return FirestoreGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .listen(inbox);
  }

  private static ListenRequest collection(int id, String collection) {
    return add(Target.newBuilder()
        .setTargetId(id)
        .setQuery(QueryTarget.newBuilder()
            .setParent(ROOT)
            .setStructuredQuery(StructuredQuery.newBuilder()
                .addFrom(CollectionSelector.newBuilder().setCollectionId(collection)))));
  }

  private static ListenRequest add(Target.Builder target) {
    return ListenRequest.newBuilder().setDatabase(DATABASE).setAddTarget(target).build();
  }

  /** Collects what a listener is told, in short words. */
  private static final class Inbox implements StreamObserver<ListenResponse> {
    final CompletableFuture<Status.Code> end = new CompletableFuture<>();
    private final BlockingQueue<ListenResponse> messages = new LinkedBlockingQueue<>();

    @Override
    public void onNext(ListenResponse message) {
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

    List<String> untilSnapshot() throws InterruptedException {
      List<String> told = new ArrayList<>();
      do {
        told.add(next());
      } while (!told.get(told.size() - 1).equals("NO_CHANGE"));
      return told;
    }

    String next() throws InterruptedException {
      ListenResponse message = messages.poll(60, TimeUnit.SECONDS);
      assertThat(message).as("a message in time").isNotNull();
      return switch (message.getResponseTypeCase()) {
        case TARGET_CHANGE -> {
          var change = message.getTargetChange();
          String cause =
              change.hasCause() ? " " + Code.forNumber(change.getCause().getCode()) : "";
          yield change.getTargetChangeType() == TargetChangeType.NO_CHANGE
              ? "NO_CHANGE"
              : change.getTargetChangeType() + " " + change.getTargetIds(0) + cause;
        }
        case DOCUMENT_CHANGE ->
          "change " + id(message.getDocumentChange().getDocument().getName());
        case DOCUMENT_DELETE -> "delete " + id(message.getDocumentDelete().getDocument());
        default -> message.toString();
      };
    }

    private static String id(String name) {
      return name.substring(name.lastIndexOf('/') + 1);
    }
  }
}
