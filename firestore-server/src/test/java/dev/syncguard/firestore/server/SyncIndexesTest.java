package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.value.FieldPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The index file that reader sync is deployed with. */
class SyncIndexesTest {
  @Test
  void theIndexesLeaveOutBothMapsAndEndDocuments() throws IOException {
    IndexConfiguration indexes =
        IndexFile.parse(Files.readString(Path.of("../sync/firebase/firestore.indexes.json")));
    assertThat(indexes.ttlPolicies()).isEqualTo(Map.of("nodes", FieldPath.of("expiresAt")));
    assertThat(indexes.isIndexed("nodes", FieldPath.parse("fields.read.value.a1")))
        .isFalse();
    assertThat(indexes.isIndexed("nodes", FieldPath.parse("fields.authorPrefs.value.Ann.v")))
        .isFalse();
    assertThat(indexes.isIndexed("nodes", FieldPath.parse("fields.read.updatedAt")))
        .isTrue();
  }
}
