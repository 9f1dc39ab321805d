package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import org.junit.jupiter.api.Test;

/** Without the index on lock ids nothing could be released; that is found out before it hurts. */
class FirestoreIndexIT extends OneFirestore {

  private static final String EXEMPTED = """
      {"fieldOverrides": [{"collectionGroup": "unindexed", "fieldPath": "lockId", "indexes": []}]}
      """;

  @Override
  FirestoreServerBuilder settings() {
    return FirestoreServer.builder().strictIndexes(true).indexes(IndexFile.parse(EXEMPTED));
  }

  @Test
  void theAutomaticIndexIsEnough() {
    assertThatCode(backend::verifyIndex).doesNotThrowAnyException();
    assertThat(backend.storeCheck().orElseThrow().examine(NEVER))
        .extracting(Finding::severity)
        .containsOnly(Severity.GOOD);
  }

  @Test
  void anIndexThatWasTakenAwayIsMissedWithTheCommandThatCreatesIt() {
    FirestoreLockBackend lame =
        open(FirestoreLockBackend.builder(firestore).collection("unindexed"));
    LockException failure = catchThrowableOfType(LockException.class, lame::verifyIndex);
    assertThat(failure.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(failure)
        .hasMessageContaining("gcloud firestore indexes fields update lockId")
        .hasMessageContaining("--collection-group=unindexed");
    assertThat(lame.storeCheck().orElseThrow().examine(NEVER))
        .filteredOn(finding -> finding.severity() == Severity.FAILURE)
        .extracting(Finding::subject)
        .containsExactly("index");
  }
}
