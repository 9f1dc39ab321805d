package dev.syncguard.firestore.server.android;

import static dev.syncguard.firestore.server.android.Phone.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.firebase.firestore.AggregateSource;
import com.google.firebase.firestore.DocumentReference;
import com.google.firebase.firestore.FirebaseFirestore;
import com.google.firebase.firestore.Source;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.WriteRequest;
import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The requests that tests of the server send in the name of a phone are those that the SDK for Android sends. After another
 * version of the SDK, run it with {@code -Dsyncguard.android.record=true}, which writes them down anew.
 */
@Timeout(180)
class RecordedRequestsIT {
  private static final Path RECORDING =
      Path.of("..", "firestore-server", "src", "test", "resources", "android-requests.txt");

  /** A token, and what the SDK reports of itself once a day, with whichever call comes first. */
  private static final Set<String> CHANGING =
      Set.of("authorization", "x-firebase-client", "x-firebase-client-log-type");

  @Test
  void theRequestsAreThoseOfTheRecording(@TempDir Path directory) throws Exception {
    List<String> lines = new ArrayList<>();
    try (FirestoreProcess server = FirestoreProcess.start(directory);
        RecordingProxy proxy = new RecordingProxy(server.port())) {
      try (Phone phone = Phone.connectedTo(proxy.port());
          SignIn signIn = new SignIn("alice")) {
        phone.signIn(signIn);
        useEverything(phone.firestore());
      }
      assertThat(proxy.calls())
          .anySatisfy(call -> assertThat(call.headers()).containsKey("authorization"));
      for (RecordingProxy.Call call : proxy.calls()) {
        if (saysNothing(call)) {
          continue; // given up, or begun once more, when the user was known
        }
        lines.add(call.method());
        call.headers().forEach((name, value) -> {
          if (!CHANGING.contains(name)) {
            lines.add("  " + name + ": " + value);
          }
        });
        for (byte[] message : call.messages()) {
          lines.add(
              "  > " + Base64.getEncoder().encodeToString(withoutTokens(call.method(), message)));
        }
      }
    }
    if (Boolean.getBoolean("syncguard.android.record")) {
      Files.write(RECORDING, lines);
    }
    assertThat(lines).isEqualTo(Files.readAllLines(RECORDING));
  }

  /** A stream of writes begins with a handshake. */
  private static boolean saysNothing(RecordingProxy.Call call) {
    return call.messages().size() < (call.method().endsWith("/Write") ? 2 : 1);
  }

  private static void useEverything(FirebaseFirestore firestore) throws Exception {
    DocumentReference document = firestore.document("phones/1");
    await(document.set(Map.of("n", 1)));
    await(document.update("n", 2));
    try (Snapshots snapshots =
        new Snapshots(firestore.collection("phones").orderBy("n").limit(10))) {
      snapshots.until(Snapshots::isFromServer);
    }
    await(document.get(Source.SERVER));
    await(firestore.collection("phones").count().get(AggregateSource.SERVER));
    await(firestore.runTransaction(transaction -> {
      long n = transaction.get(document).getLong("n");
      transaction.set(document, Map.of("n", n + 1));
      return n;
    }));
  }

  /** Returns a request without what the server had given to the client before. */
  private static byte[] withoutTokens(String method, byte[] message)
      throws InvalidProtocolBufferException {
    if (method.endsWith("/Write")) {
      return WriteRequest.parseFrom(message).toBuilder()
          .clearStreamToken()
          .build()
          .toByteArray();
    }
    if (method.endsWith("/Commit")) {
      CommitRequest.Builder commit = CommitRequest.parseFrom(message).toBuilder();
      for (int i = 0; i < commit.getWritesCount(); i++) {
        commit.setWrites(i, commit.getWrites(i).toBuilder().clearCurrentDocument());
      }
      return commit.build().toByteArray();
    }
    return message;
  }
}
