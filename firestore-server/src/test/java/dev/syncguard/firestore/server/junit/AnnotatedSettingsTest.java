package dev.syncguard.firestore.server.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What a class can say about its Firestore. */
class AnnotatedSettingsTest {
  private static final String SEED = "target/annotated-seed";
  private static final String INDEXES = "target/annotated.indexes.json";
  private static final String DATA = "target/annotated-data";

  @BeforeAll
  static void prepare() throws Exception {
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of(INDEXES), "{\"indexes\": [], \"fieldOverrides\": []}");
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      Firestore client = com.google.cloud.firestore.FirestoreOptions.newBuilder()
          .setProjectId("any")
          .setEmulatorHost(server.emulatorHost())
          .build()
          .getService();
      client.document("cities/LA").set(Map.of("n", 1)).get();
      client.close();
      server.exportTo(Path.of(SEED), "any");
    }
  }

  @Nested
  @FirestoreTest(importFrom = SEED)
  class Seeded {
    @Test
    void oneBeginsWithTheSeed(Firestore firestore) throws Exception {
      assertThat(firestore.document("cities/LA").get().get().exists()).isTrue();
      firestore.document("cities/LA").delete().get();
    }

    @Test
    void theOtherToo(Firestore firestore) throws Exception {
      assertThat(firestore.document("cities/LA").get().get().exists()).isTrue();
      firestore.document("cities/LA").delete().get();
    }
  }

  @Nested
  @FirestoreTest(isolation = FirestoreTest.Isolation.EACH_CLASS, dataDirectory = DATA)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class Shared {
    @Test
    @Order(1)
    void theFirstWrites(Firestore firestore) throws Exception {
      firestore.document("c/d").set(Map.of()).get();
    }

    @Test
    @Order(2)
    void theSecondSeesItAndSoDoesTheDisk(Firestore firestore) throws Exception {
      assertThat(firestore.document("c/d").get().get().exists()).isTrue();
      assertThat(Path.of(DATA)).isNotEmptyDirectory();
      firestore.document("c/d").delete().get();
    }
  }

  @Nested
  @FirestoreTest(indexes = INDEXES, strictIndexes = true)
  class Strict {
    @Test
    void aQueryNeedsItsIndex(Firestore firestore) {
      assertThatThrownBy(() ->
              firestore.collection("c").whereEqualTo("a", 1).orderBy("b").get().get())
          .hasMessageContaining("requires an index");
    }
  }
}
