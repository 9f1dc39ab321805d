package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreException;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.Query;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {
  private static final IndexConfiguration FILE = IndexFile.parse("""
      {
        "indexes": [
          {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "author", "order": "ASCENDING"},
            {"fieldPath": "year", "order": "DESCENDING"}]}
        ],
        "fieldOverrides": [
          {"collectionGroup": "marks", "fieldPath": "read", "indexes": []},
          {"collectionGroup": "sessions", "fieldPath": "expiresAt", "ttl": true}
        ]
      }
      """);

  @Test
  void aMissingCompositeIndexIsRefusedAndAConfiguredOneServes() throws Exception {
    try (FirestoreServer server =
            FirestoreServer.builder().indexes(FILE).strictIndexes(true).start();
        Firestore firestore = client(server)) {
      var byAuthor = firestore.collection("books").whereEqualTo("author", "A");
      assertThat(byAuthorAndYear(firestore).get().get().size()).isZero();
      assertThatThrownBy(() -> byAuthor.whereGreaterThan("year", 1900).get().get())
          .as("years ascend unless the query says otherwise, and in the index they descend")
          .hasMessageContaining("The query requires an index");
      assertThat(byAuthor.whereEqualTo("title", "T").get().get().size()).isZero();
      assertThatThrownBy(() -> byAuthor.whereGreaterThan("pages", 100).get().get())
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("The query requires an index");
      assertThatThrownBy(() ->
              firestore.collection("marks").whereEqualTo("read.x", 1).get().get())
          .hasMessageContaining("The query requires an index");
    }
  }

  @Test
  void aDatabaseMayHaveIndexesOfItsOwn() throws Exception {
    Instant now = Instant.parse("2030-01-01T00:10:00Z");
    try (FirestoreServer server = FirestoreServer.builder()
            .indexes("archive", FILE)
            .strictIndexes(true)
            .time(() -> now)
            .start();
        Firestore other = client(server);
        Firestore archive = FirestoreOptions.newBuilder()
            .setProjectId("demo-test")
            .setDatabaseId("archive")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      for (Firestore each : List.of(archive, other)) {
        each.document("sessions/over")
            .set(Map.of("expiresAt", Timestamp.parseTimestamp("2029-01-01T00:00:00Z")))
            .get();
      }
      server.removeExpired();
      assertThat(archive.document("sessions/over").get().get().exists()).isFalse();
      assertThat(other.document("sessions/over").get().get().exists()).isTrue();
      assertThat(byAuthorAndYear(archive).get().get().size()).isZero();
      assertThatThrownBy(() -> byAuthorAndYear(other).get().get())
          .hasMessageContaining("The query requires an index");
    }
  }

  private static Query byAuthorAndYear(Firestore firestore) {
    return firestore
        .collection("books")
        .whereEqualTo("author", "A")
        .whereGreaterThan("year", 1900)
        .orderBy("year", Query.Direction.DESCENDING);
  }

  @Test
  void aListenerIsRefusedForWantOfAnIndexToo() throws Exception {
    try (FirestoreServer server =
            FirestoreServer.builder().indexes(FILE).strictIndexes(true).start();
        Firestore firestore = client(server)) {
      CompletableFuture<FirestoreException> refused = new CompletableFuture<>();
      firestore
          .collection("books")
          .whereEqualTo("author", "A")
          .whereGreaterThan("pages", 100)
          .addSnapshotListener((snapshot, error) -> refused.complete(error));
      assertThat(refused.get(30, TimeUnit.SECONDS))
          .hasMessageContaining("The query requires an index")
          .hasMessageContaining("\"fieldPath\":\"pages\"");
    }
  }

  @Test
  void anExemptMapMayHaveMoreEntriesThanTheIndexesTake() throws Exception {
    Map<String, Object> large = new HashMap<>();
    for (int i = 0; i < 20_001; i++) {
      large.put("k" + i, i);
    }
    try (FirestoreServer server = FirestoreServer.builder().indexes(FILE).start();
        Firestore firestore = client(server)) {
      firestore.document("marks/a").set(Map.of("read", large)).get();
      assertThatThrownBy(
              () -> firestore.document("other/a").set(Map.of("read", large)).get())
          .hasMessageContaining("too many index entries");
      assertThat(firestore
              .collection("marks")
              .whereEqualTo("read.k7", 7)
              .get()
              .get()
              .size())
          .as("without strict indexes a query still finds it")
          .isEqualTo(1);
    }
  }

  @Test
  void expiredDocumentsStayUntilTheyAreSweptAndOnlyTimestampsCount() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    try (FirestoreServer server =
            FirestoreServer.builder().indexes(FILE).time(now::get).start();
        Firestore firestore = client(server)) {
      Timestamp end = Timestamp.parseTimestamp("2030-01-01T00:10:00Z");
      firestore.document("sessions/soon").set(Map.of("expiresAt", end)).get();
      firestore.document("users/u/sessions/below").set(Map.of("expiresAt", end)).get();
      firestore
          .document("sessions/text")
          .set(Map.of("expiresAt", "2030-01-01T00:10:00Z"))
          .get();
      firestore.document("sessions/rescued").set(Map.of("expiresAt", end)).get();
      firestore.document("others/same").set(Map.of("expiresAt", end)).get();
      assertThat(server.removeExpired()).isZero();
      firestore
          .document("sessions/rescued")
          .update("expiresAt", Timestamp.parseTimestamp("2031-01-01T00:00:00Z"))
          .get();
      now.set(Instant.parse("2030-01-01T00:10:00Z"));
      server.removeExpired(); // or the sweeper was first
      assertThat(firestore.collectionGroup("sessions").get().get().getDocuments())
          .extracting(document -> document.getId())
          .containsExactlyInAnyOrder("text", "rescued");
      assertThat(firestore.document("others/same").get().get().exists()).isTrue();
    }
  }

  private static Firestore client(FirestoreServer server) {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
  }
}
