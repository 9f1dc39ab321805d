package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** One server for the tests of a class, empty before each of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class OneFirestore {

  static final Ttl LONG = Ttl.ofMillis(600_000);
  static final Cancellation NEVER = Cancellation.none();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final List<LockBackend> opened = new ArrayList<>();
  FirestoreServer server;
  Firestore firestore;
  FirestoreLockBackend backend;

  /** Returns the settings of the server. */
  FirestoreServerBuilder settings() {
    return FirestoreServer.builder().strictIndexes(true);
  }

  @BeforeAll
  void startServer() {
    server = settings().start();
    firestore = LocalFirestore.connect(server.emulatorHost());
  }

  @AfterAll
  void stopServer() throws Exception {
    firestore.close();
    server.close();
  }

  @BeforeEach
  void openBackend() {
    server.clear();
    backend = open(FirestoreLockBackend.builder(firestore));
  }

  @AfterEach
  void closeBackends() {
    opened.forEach(LockBackend::close);
    opened.clear();
  }

  FirestoreLockBackend open(FirestoreLockBackendBuilder builder) {
    FirestoreLockBackend another = builder.build();
    opened.add(another);
    return another;
  }

  DocumentReference lockDocument(String id) {
    return firestore.collection("locks").document(id);
  }

  DocumentReference fenceDocument(String id) {
    return firestore.collection("fence_counters").document(id);
  }

  DocumentSnapshot read(DocumentReference document) {
    return Documents.get(firestore, document);
  }

  static LockId newId() {
    return LockId.random(RANDOM);
  }

  static LockKey key(String text) {
    return LockKey.of(text);
  }

  static AcquireResult.Acquired granted(AcquireResult result) {
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return (AcquireResult.Acquired) result;
  }

  LockId take(String key) {
    return take(backend, key, LONG);
  }

  static LockId take(LockBackend from, String key, Ttl ttl) {
    LockId id = newId();
    granted(from.acquire(key(key), id, ttl, NEVER));
    return id;
  }

  boolean release(LockId id) {
    return backend.release(id, NEVER) instanceof ReleaseResult.Released;
  }

  /** Waits until something is so, and returns whether it came to be. */
  static boolean await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LONGEST_WAIT.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    return true;
  }
}
