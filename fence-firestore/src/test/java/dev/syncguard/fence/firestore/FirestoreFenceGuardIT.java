package dev.syncguard.fence.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.LateHolder;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against our own server, with Google's client. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FirestoreFenceGuardIT {

  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);

  private FirestoreServer server;
  private Firestore firestore;
  private FirestoreFenceGuard guard;
  private DocumentReference document;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().start();
    firestore = FirestoreHolder.connect(server.emulatorHost());
    guard = FirestoreFenceGuard.over(firestore);
    document = firestore.document("reports/report");
  }

  @AfterEach
  void stop() throws Exception {
    firestore.close();
    server.close();
  }

  private void write(Fence fence, String text) throws Exception {
    guard.write(fence, document, Map.of("text", text));
  }

  private String read() throws Exception {
    return document.get().get().getString("text");
  }

  @Test
  void aHolderMayWriteMoreThanOnceAndTheNextOneAfterIt() throws Exception {
    write(FIRST, "one");
    write(FIRST, "two");
    assertThat(read()).isEqualTo("two");
    write(SECOND, "three");
    assertThat(read()).isEqualTo("three");
    assertThat(document.get().get().getLong("fence")).isEqualTo(42);
  }

  @Test
  void aLowerFenceIsRefusedAndChangesNothing() throws Exception {
    write(SECOND, "second");
    assertThatThrownBy(() -> write(FIRST, "late"))
        .isInstanceOfSatisfying(
            StaleFenceException.class, e -> assertThat(e.fence()).isEqualTo(FIRST));
    assertThat(read()).isEqualTo("second");
  }

  @Test
  void oneDocumentCarriesTheFenceOfSeveral() throws Exception {
    DocumentReference carrier = firestore.document("fences/reports");
    carrier.set(Map.of("note", "kept")).get();
    writeBoth(carrier, SECOND, "second");
    assertThatThrownBy(() -> writeBoth(carrier, FIRST, "late"))
        .hasRootCauseInstanceOf(StaleFenceException.class);
    for (String name : new String[] {"reports/a", "reports/b"}) {
      assertThat(firestore.document(name).get().get().getString("text")).isEqualTo("second");
    }
    assertThat(carrier.get().get().getData())
        .containsExactlyInAnyOrderEntriesOf(Map.of("note", "kept", "fence", 42L));
  }

  private void writeBoth(DocumentReference carrier, Fence fence, String text) throws Exception {
    firestore
        .runTransaction(transaction -> {
          guard.check(transaction, carrier, fence);
          transaction.set(firestore.document("reports/a"), Map.of("text", text));
          transaction.set(firestore.document("reports/b"), Map.of("text", text));
          return true;
        })
        .get();
  }

  @Test
  void aFenceThatSomebodyDamagedLetsNobodyIn() throws Exception {
    document.set(Map.of("text", "mine", "fence", "what is this")).get();
    assertThatThrownBy(() -> write(SECOND, "second"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing was written");
    assertThat(read()).isEqualTo("mine");
  }

  @Test
  void itIsOneLineWithALockAndALostLeaseIsRefusedBeforeFirestoreIsAsked() throws Exception {
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks.lock("report").run(lease -> guard.write(lease, document, Map.of("text", "held")));
      assertThat(read()).isEqualTo("held");
      Lease lost = locks.lock("report").acquire();
      lost.release();
      server.close();
      assertThatThrownBy(() -> guard.write(lost, document, Map.of("text", "late")))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aHolderThatWasStoppedBeyondItsTtlIsRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(file);
        ChildJvm holder =
            ChildJvm.run(FirestoreHolder.class, server.emulatorHost(), file, "report")) {
      assertThat(LateHolder.stopBeyondItsTtl(
              holder,
              backend,
              "report",
              lease -> guard.write(lease, document, Map.of("text", "second"))))
          .containsExactly("LeaseLostException", "StaleFenceException");
    }
    assertThat(read()).isEqualTo("second");
  }
}
