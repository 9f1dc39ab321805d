package dev.syncguard.fence.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.grpc.GrpcStatusCode;
import com.google.api.gax.rpc.AbortedException;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.GeoPoint;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import io.grpc.Status;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What careless neighbours, many writers and retried transactions do to the guard of documents. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FirestoreFenceGuardUnderAttackIT {

  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);
  private static final AtomicInteger DOCUMENTS = new AtomicInteger();

  private static FirestoreServer server;
  private static Firestore firestore;

  private FirestoreFenceGuard guard;
  private DocumentReference document;

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().start();
    firestore = FirestoreHolder.connect(server.emulatorHost());
  }

  @AfterAll
  static void stop() throws Exception {
    firestore.close();
    server.close();
  }

  @BeforeEach
  void openGuard() {
    guard = FirestoreFenceGuard.over(firestore);
    document = firestore.document("reports/" + DOCUMENTS.incrementAndGet());
  }

  static Stream<Object> whatIsNoFence() {
    return Stream.of(
        -1L,
        0L,
        Fence.MAX + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        41.0,
        Double.NaN,
        true,
        "41",
        List.of(41L),
        Map.of("value", 41L),
        new GeoPoint(4, 1));
  }

  @ParameterizedTest
  @MethodSource("whatIsNoFence")
  void whatIsNoFenceInTheFieldLetsNobodyInAndIsNotCalledALaterHolder(Object damaged)
      throws Exception {
    document.set(Map.of("text", "mine", "fence", damaged)).get();
    assertThatThrownBy(() -> guard.write(SECOND, document, Map.of("text", "written")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing was written");
    assertThat(document.get().get().getString("text")).isEqualTo("mine");
  }

  @Test
  void aFenceThatIsNullLetsNobodyIn() throws Exception {
    document.set(Collections.singletonMap("fence", null)).get();
    assertThatThrownBy(() -> guard.write(SECOND, document, Map.of("text", "written")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFieldOfTheCallerNamedLikeTheFenceIsRefusedInsteadOfOverwritten() throws Exception {
    assertThatThrownBy(() -> guard.write(SECOND, document, Map.of("fence", "around the garden")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fence");
    assertThat(document.get().get().exists()).isFalse();
  }

  @Test
  void amongManyWritersTheHighestFenceRemainsWithItsValue() throws Exception {
    List<Callable<Boolean>> writers = LongStream.rangeClosed(1, 24)
        .map(n -> 1 + n * 7 % 24 / 2)
        .<Callable<Boolean>>mapToObj(n -> () -> {
          // Whom Firestore tells to come again later comes again, as any holder would.
          while (true) {
            try {
              guard.write(new Fence(n), document, Map.of("text", "by " + n));
              return true;
            } catch (StaleFenceException late) {
              return false;
            } catch (ExecutionException contention) {
              assertThat(contention).hasMessageContaining("ABORTED");
            }
          }
        })
        .toList();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (var writer : threads.invokeAll(writers)) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(document.get().get().getData())
        .containsExactlyInAnyOrderEntriesOf(Map.of("text", "by 12", "fence", 12L));
  }

  @Test
  void aTransactionThatFirestoreRunsAgainIsCheckedAgain() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    DocumentReference other = firestore.document(document.getPath() + "-other");
    assertThatThrownBy(() -> firestore
            .runTransaction(transaction -> {
              if (attempts.incrementAndGet() == 2) {
                guard.write(SECOND, document, Map.of("text", "second"));
              }
              guard.check(transaction, document, FIRST);
              if (attempts.get() == 1) {
                throw aborted();
              }
              transaction.set(other, Map.of("text", "late"));
              return true;
            })
            .get())
        .hasRootCauseInstanceOf(StaleFenceException.class);
    assertThat(attempts).hasValue(2);
    assertThat(other.get().get().exists()).isFalse();
    assertThat(document.get().get().getString("text")).isEqualTo("second");
  }

  /** What makes Google's client run a transaction again. */
  private static AbortedException aborted() {
    return new AbortedException(
        new IllegalStateException("begin again"), GrpcStatusCode.of(Status.Code.ABORTED), true);
  }

  @Test
  void aLeaseThatIsLostBetweenTwoAttemptsOfATransactionIsRefusedByTheNext() throws Exception {
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      Lease lease = locks.lock("report").acquire();
      AtomicInteger attempts = new AtomicInteger();
      assertThatThrownBy(() -> firestore
              .runTransaction(transaction -> {
                guard.check(transaction, document, lease);
                attempts.incrementAndGet();
                lease.release();
                throw aborted();
              })
              .get())
          .hasRootCauseInstanceOf(LeaseLostException.class);
      assertThat(attempts).hasValue(1);
    }
    assertThat(document.get().get().exists()).isFalse();
  }

  @Test
  void oneTransactionMayBeUnderSeveralFences() throws Exception {
    DocumentReference other = firestore.document(document.getPath() + "-other");
    guard.write(SECOND, other, Map.of("text", "second"));
    assertThatThrownBy(() -> underBoth(other, FIRST))
        .hasRootCauseInstanceOf(StaleFenceException.class);
    assertThat(document.get().get().exists()).isFalse();
    underBoth(other, SECOND);
    assertThat(document.get().get().getLong("fence")).isEqualTo(7);
    assertThat(other.get().get().getData())
        .containsExactlyInAnyOrderEntriesOf(Map.of("text", "second", "fence", 42L));
  }

  private void underBoth(DocumentReference other, Fence fence) throws Exception {
    firestore
        .runTransaction(transaction -> {
          guard.check(transaction, Map.of(document, new Fence(7), other, fence));
          return true;
        })
        .get();
  }

  @Test
  void valuesThatTheServerFillsInPassThrough() throws Exception {
    guard.write(SECOND, document, Map.of("at", FieldValue.serverTimestamp(), "text", "now"));
    assertThat(document.get().get().getTimestamp("at")).isNotNull();
  }

  @Test
  void aClosedClientIsNotMistakenForADamagedFence() throws Exception {
    Firestore closed = FirestoreHolder.connect(server.emulatorHost());
    DocumentReference there = closed.document("reports/there");
    FirestoreFenceGuard late = FirestoreFenceGuard.over(closed);
    closed.close();
    assertThatThrownBy(() -> late.write(SECOND, there, Map.of("text", "late")))
        .satisfies(
            e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("nothing was written"));
  }
}
