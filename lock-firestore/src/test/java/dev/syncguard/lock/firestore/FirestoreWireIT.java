package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What we store is what the TypeScript library stores, and either side can go on with a lock of the other. */
class FirestoreWireIT extends OneFirestore {

  private ForeignClient foreigner;

  @BeforeEach
  void openForeignClient() {
    foreigner = new ForeignClient(firestore);
  }

  @Test
  void aLockIsADocumentWithFiveFieldsAndWholeNumbers() {
    LockId id = newId();
    AcquireResult.Acquired grant = granted(backend.acquire(key("payment:42"), id, LONG, NEVER));
    DocumentSnapshot lock = read(lockDocument("payment:42"));
    long expires = grant.expiresAt().toEpochMilli();
    assertThat(lock.getData())
        .containsOnlyKeys("lockId", "expiresAtMs", "acquiredAtMs", "key", "fence")
        .containsEntry("lockId", id.value())
        .containsEntry("key", "payment:42")
        .containsEntry("fence", "000000000000001")
        .containsEntry("expiresAtMs", expires)
        .containsEntry("acquiredAtMs", expires - LONG.millis());
    assertThat(read(fenceDocument("fence:payment:42")).getData())
        .containsOnlyKeys("fence", "keyDebug")
        .containsEntry("fence", "000000000000001")
        .containsEntry("keyDebug", "payment:42");
  }

  @Test
  void anExtensionChangesNothingButTheExpiry() {
    LockId id = take("payment:42");
    var before = read(lockDocument("payment:42")).getData();
    ExtendResult.Extended extended = (ExtendResult.Extended) backend.extend(id, LONG, NEVER);
    before.put("expiresAtMs", extended.expiresAt().toEpochMilli());
    assertThat(read(lockDocument("payment:42")).getData()).isEqualTo(before);
  }

  @Test
  void aNoteIsASixthFieldThatForeignClientsKeepOrDrop() {
    LockId ours = newId();
    backend.acquire(key("report"), ours, LONG, LockNote.of("our word"), NEVER);
    assertThat(read(lockDocument("report")).getData()).hasSize(6).containsEntry("note", "our word");
    assertThat(foreigner.extend(ours.value(), 600_000)).isTrue();
    assertThat(noteOf("report")).contains(LockNote.of("our word"));
    assertThat(foreigner.release(ours.value())).isTrue();
    foreigner.acquire("report", newId().value(), 600_000);
    assertThat(noteOf("report")).isEmpty();
  }

  @Test
  void aForeignNoteThatIsNoneHidesNothing() {
    take("report");
    Documents.await(lockDocument("report").update("note", 17));
    assertThat(noteOf("report")).isEmpty();
    assertThat(backend.listing().orElseThrow().live(10, NEVER)).hasSize(1);
  }

  private Optional<LockNote> noteOf(String name) {
    return backend.lookup(new LockQuery.ByKey(key(name)), NEVER).orElseThrow().note();
  }

  @Test
  void aReleaseDeletesTheLockAndKeepsTheFence() {
    release(take("payment:42"));
    assertThat(read(lockDocument("payment:42")).exists()).isFalse();
    assertThat(read(fenceDocument("fence:payment:42")).exists()).isTrue();
  }

  @Test
  void documentsAreNamedAsInTheGoldenVectors() throws IOException {
    LockDocuments documents = new LockDocuments(firestore, "locks", "fence_counters");
    JsonNode root = new ObjectMapper()
        .readTree(Path.of("..", "vectors", "syncguard-vectors.json").toFile());
    int compared = 0;
    for (JsonNode vector : StreamSupport.stream(root.get("keyDerivation").spliterator(), false)
        .filter(node -> node.get("backend").asText().equals("firestore"))
        .filter(node -> node.get("ok").asBoolean() && node.get("key").isTextual())
        .toList()) {
      String key = vector.get("key").asText();
      String name = vector.get("lockKey").asText();
      if (key.indexOf('\0') >= 0 || name.indexOf('/') >= 0 || name.matches("\\.\\.?|__.*__")) {
        continue; // refused by us, or stored under its hash
      }
      assertThat(documents.lock(key(key)).getId()).isEqualTo(name);
      assertThat(documents.fence(key(key)).getId())
          .isEqualTo(vector.get("fenceKey").asText());
      compared++;
    }
    assertThat(compared).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "a/b/c", "/a", "a/", ".", "..", "__x__", "____", "/"})
  void aKeyThatFirestoreDoesNotTakeIsStoredUnderItsHash(String key) {
    LockId id = take(key);
    var stored = Documents.await(firestore.collection("locks").get()).getDocuments();
    assertThat(stored).hasSize(1);
    assertThat(stored.get(0).getId()).matches("[A-Za-z0-9_-]{22}");
    assertThat(stored.get(0).getString("key")).isEqualTo(key);
    assertThat(read(fenceDocument("fence:" + stored.get(0).getId())).getString("keyDebug"))
        .isEqualTo(key);
    assertThat(release(id)).isTrue();
  }

  @Test
  void eitherSideGoesOnWithALockOfTheOther() {
    String theirs = newId().value();
    assertThat(foreigner.acquire("report", theirs, 600_000)).isEqualTo(1);
    assertThat(backend.acquire(key("report"), newId(), LONG, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.lookup(new LockQuery.ById(LockId.parse(theirs)), NEVER)).isPresent();
    assertThat(backend.extend(LockId.parse(theirs), LONG, NEVER))
        .isInstanceOf(ExtendResult.Extended.class);
    assertThat(foreigner.extend(theirs, 600_000)).isTrue();
    assertThat(release(LockId.parse(theirs))).isTrue();

    LockId ours = newId();
    assertThat(
            granted(backend.acquire(key("report"), ours, LONG, NEVER)).fence().value())
        .isEqualTo(2);
    assertThat(foreigner.acquire("report", newId().value(), 600_000)).isZero();
    assertThat(foreigner.extend(ours.value(), 600_000)).isTrue();
    assertThat(foreigner.release(ours.value())).isTrue();
    assertThat(foreigner.acquire("report", newId().value(), 600_000)).isEqualTo(3);
  }

  @Test
  void bothSidesTogetherNeverHoldAKeyTwiceNorRepeatAFence() throws Exception {
    int rounds = 10;
    AtomicInteger holders = new AtomicInteger();
    List<Long> fences = new java.util.concurrent.CopyOnWriteArrayList<>();
    List<Future<?>> done = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 4; i++) {
        boolean foreign = i % 2 == 0;
        done.add(threads.submit(() -> {
          for (int round = 0; round < rounds; ) {
            LockId id = newId();
            long fence = foreign
                ? foreigner.acquire("report", id.value(), 600_000)
                : backend.acquire(key("report"), id, LONG, NEVER)
                        instanceof AcquireResult.Acquired grant
                    ? grant.fence().value()
                    : 0;
            if (fence > 0) {
              assertThat(holders.incrementAndGet()).isEqualTo(1);
              fences.add(fence);
              holders.decrementAndGet();
              assertThat(foreign ? foreigner.release(id.value()) : release(id)).isTrue();
              round++;
            }
          }
          return null;
        }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(fences).hasSize(4 * rounds).doesNotHaveDuplicates().isSorted();
  }
}
