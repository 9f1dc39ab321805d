package dev.syncguard.firestore.server.google;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.StructuredQuery;
import com.google.firestore.v1.StructuredQuery.CollectionSelector;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.QueryTarget;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.auth.Authorizer;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Google's listen sequences that end in an error: a target that is removed although nobody asked for that, and the
 * confirmation of a target that nobody added. The first happens only to those who lose the right to listen, the second
 * never.
 */
class GoogleListenErrorTest {
  private static final String PROJECT = "demo-listen";
  private static final String ROOT = "projects/" + PROJECT + "/databases/(default)/documents";

  @Test
  void theseAreAllSequencesThatEndInAnError() throws Exception {
    assertThat(GoogleConformance.all().stream()
            .filter(test -> test.content().path("listen").path("isError").asBoolean())
            .map(GoogleConformance.Case::file))
        .containsExactlyInAnyOrder("listen-target-remove.json", "listen-target-add-wrong-id.json");
  }

  @Test
  void aTargetThatMayNoLongerBeSeenIsRemovedWhichTheListenerGetsAsAnError() throws Exception {
    try (FirestoreServer server =
            FirestoreServer.builder().rules(rules("allow read, write;")).start();
        Firestore client = stranger(server)) {
      client.document("C/d1").set(Map.of("a", 3)).get();
      BlockingQueue<Object> told = new LinkedBlockingQueue<>();
      client
          .collection("C")
          .orderBy("a")
          .addSnapshotListener((snapshot, error) -> told.add(snapshot == null ? error : snapshot));
      assertThat(told.poll(30, TimeUnit.SECONDS)).isInstanceOf(QuerySnapshot.class);
      replaceRules(server, rules("allow write;"));
      assertThat(told.poll(30, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              FirestoreException.class,
              error ->
                  assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
      client.document("C/d2").set(Map.of("a", 4)).get();
      assertThat(told).as("what comes after the error").isEmpty();
    }
  }

  @Test
  void onlyTheTargetThatWasAskedForIsConfirmed() throws Exception {
    try (FirestoreServer server =
            FirestoreServer.builder().authorizer(Authorizer.open()).start();
        Firestore client = stranger(server)) {
      ManagedChannel channel =
          NettyChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
      try {
        client.document("C/d1").set(Map.of("a", 3)).get();
        Inbox inbox = new Inbox();
        FirestoreGrpc.newStub(channel).listen(inbox).onNext(everything(7));
        inbox.untilSnapshot();
        client.document("C/d1").set(Map.of("a", 4)).get();
        inbox.untilSnapshot();
        client.document("C/d1").delete().get();
        inbox.untilSnapshot();
        assertThat(inbox.confirmed).containsExactly(7);
        assertThat(inbox.removed).isEmpty();
      } finally {
        channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
      }
    }
  }

  /** Returns a client without any token, to whom the rules apply. */
  private static Firestore stranger(FirestoreServer server) {
    assertThat(server.emulatorHost()).startsWith("127.0.0.1:");
    return FirestoreOptions.newBuilder()
        .setProjectId(PROJECT)
        .setHost(server.emulatorHost())
        .setCredentials(NoCredentials.getInstance())
        .build()
        .getService();
  }

  private static String rules(String allow) {
    return "rules_version = '2'; service cloud.firestore {"
        + " match /databases/{database}/documents/C/{id} { " + allow + " } }";
  }

  private static void replaceRules(FirestoreServer server, String rules) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.emulatorHost()
            + "/emulator/v1/projects/" + PROJECT + ":securityRules"))
        .PUT(BodyPublishers.ofString("{\"rules\":{\"files\":[{\"content\":\"" + rules + "\"}]}}"))
        .build();
    assertThat(
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);
  }

  private static ListenRequest everything(int target) {
    return ListenRequest.newBuilder()
        .setDatabase("projects/" + PROJECT + "/databases/(default)")
        .setAddTarget(Target.newBuilder()
            .setTargetId(target)
            .setQuery(QueryTarget.newBuilder()
                .setParent(ROOT)
                .setStructuredQuery(StructuredQuery.newBuilder()
                    .addFrom(CollectionSelector.newBuilder().setCollectionId("C")))))
        .build();
  }

  /** What a listener is told, and which targets were confirmed or removed in it. */
  private static final class Inbox implements StreamObserver<ListenResponse> {
    final List<Integer> confirmed = new ArrayList<>();
    final List<Integer> removed = new ArrayList<>();
    private final BlockingQueue<ListenResponse> messages = new LinkedBlockingQueue<>();

    void untilSnapshot() throws InterruptedException {
      while (true) {
        ListenResponse next = messages.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        if (!next.hasTargetChange()) {
          continue;
        }
        List<Integer> targets = next.getTargetChange().getTargetIdsList();
        TargetChangeType type = next.getTargetChange().getTargetChangeType();
        if (type == TargetChangeType.ADD) {
          confirmed.addAll(targets);
        } else if (type == TargetChangeType.REMOVE) {
          removed.addAll(targets);
        } else if (type == TargetChangeType.NO_CHANGE && targets.isEmpty()) {
          return;
        }
      }
    }

    @Override
    public void onNext(ListenResponse message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
