package dev.syncguard.firestore.server.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentChange;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.firestore.server.FirestoreServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Google's listen sequences, made to happen: one commit leads from each expected snapshot to the next, and Google's client,
 * listening to us, publishes exactly these snapshots, in number, order, changes and positions. Those that end in an error
 * are in {@link GoogleListenErrorTest}.
 */
@Tag("slow")
class GoogleListenConformanceTest {
  private static final int SEQUENCES = 12;

  @TestFactory
  List<DynamicTest> aListenerSeesTheExpectedSnapshots() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (GoogleConformance.Case test : GoogleConformance.all()) {
      JsonNode listen = test.content().path("listen");
      if (listen.path("snapshots").isArray()) {
        tests.add(dynamicTest(test.file(), () -> replay(listen.path("snapshots"))));
      }
    }
    assertThat(tests).hasSize(SEQUENCES);
    return tests;
  }

  private static void replay(JsonNode expected) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder().start();
        Firestore client = FirestoreOptions.newBuilder()
            .setProjectId("demo-listen")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      CollectionReference collection = client.collection("C");
      BlockingQueue<Object> told = new LinkedBlockingQueue<>();
      commit(client, collection, Set.of(), expected.get(0));
      ListenerRegistration listener = collection
          .orderBy("a")
          .addSnapshotListener((snapshot, error) -> told.add(snapshot == null ? error : snapshot));
      try {
        for (int i = 0; i < expected.size(); i++) {
          if (i > 0) {
            commit(client, collection, ids(expected.get(i - 1)), expected.get(i));
          }
          Object next = told.poll(30, TimeUnit.SECONDS);
          assertThat(next).as("snapshot " + i).isInstanceOf(QuerySnapshot.class);
          assertThat(describe((QuerySnapshot) next))
              .as("snapshot " + i)
              .isEqualTo(describe(expected.get(i)));
        }
        assertThat(told).as("one snapshot for each commit").isEmpty();
      } finally {
        listener.remove();
      }
    }
  }

  private static void commit(
      Firestore client, CollectionReference collection, Set<String> before, JsonNode after)
      throws Exception {
    WriteBatch batch = client.batch();
    Set<String> gone = new HashSet<>(before);
    for (JsonNode document : after.path("docs")) {
      batch.set(collection.document(id(document)), java.util.Map.of("a", number(document)));
      gone.remove(id(document));
    }
    gone.forEach(id -> batch.delete(collection.document(id)));
    if (batch.getMutationsSize() > 0) {
      batch.commit().get();
    }
  }

  private static List<String> describe(QuerySnapshot snapshot) {
    List<String> lines = new ArrayList<>();
    snapshot
        .getDocuments()
        .forEach(document -> lines.add(document.getId() + "=" + document.get("a")));
    for (DocumentChange change : snapshot.getDocumentChanges()) {
      lines.add(String.join(
          " ",
          change.getType().name(),
          change.getDocument().getId(),
          Integer.toString(change.getOldIndex()),
          Integer.toString(change.getNewIndex())));
    }
    return lines;
  }

  private static List<String> describe(JsonNode snapshot) {
    List<String> lines = new ArrayList<>();
    snapshot.path("docs").forEach(document -> lines.add(id(document) + "=" + number(document)));
    for (JsonNode change : snapshot.path("changes")) {
      lines.add(String.join(
          " ",
          change.path("kind").asText(),
          id(change.path("doc")),
          Integer.toString(change.path("oldIndex").asInt()),
          Integer.toString(change.path("newIndex").asInt())));
    }
    return lines;
  }

  private static Set<String> ids(JsonNode snapshot) {
    Set<String> ids = new HashSet<>();
    snapshot.path("docs").forEach(document -> ids.add(id(document)));
    return ids;
  }

  private static String id(JsonNode document) {
    String name = document.path("name").asText();
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static long number(JsonNode document) {
    return document.path("fields").path("a").path("integerValue").asLong();
  }
}
