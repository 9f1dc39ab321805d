package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An empty Firestore in this JVM that shares a clock with its clients, and Google's client. */
class FirestoreFixture implements LockFixture.Cleaning {

  private final FirestoreServer server;
  private final Firestore firestore;
  private final Time time;
  private final Consumer<Duration> passing;

  FirestoreFixture(
      FirestoreServer server, Firestore firestore, Time time, Consumer<Duration> passing) {
    this.server = server;
    this.firestore = firestore;
    this.time = time;
    this.passing = passing;
    server.clear();
  }

  private FirestoreLockBackendBuilder builder() {
    return FirestoreLockBackend.builder(firestore).time(time);
  }

  @Override
  public boolean countsWaiters() {
    return false;
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public LockBackend open() {
    return builder().build();
  }

  @Override
  public LockBackend openCleaning(Duration interval) {
    return builder().cleanupInIsLocked(interval).build();
  }

  @Override
  public LockBackend openCleaning(Duration interval, Executor executor) {
    return builder().cleanupInIsLocked(interval).cleanupExecutor(executor).build();
  }

  @Override
  public boolean isStored(LockKey key) {
    return Documents.get(firestore, documents().lock(key)).exists();
  }

  final LockDocuments documents() {
    return new LockDocuments(firestore, LockDocuments.DEFAULT_LOCKS, LockDocuments.DEFAULT_FENCES);
  }

  @Override
  public void pass(Duration duration) {
    passing.accept(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    String text = String.format("%015d", handedOut);
    Documents.set(documents().fence(key), Map.of("fence", text, "keyDebug", key.value()));
  }

  @Override
  public void close() {
    server.clear();
  }

  /** A fixture whose clock stands still unless it is moved. */
  static final class Stopped extends FirestoreFixture
      implements LockFixture.SettableClock, LockFixture.Inspectable {
    Stopped(FirestoreServer server, Firestore firestore, Time time, Consumer<Duration> passing) {
      super(server, firestore, time, passing);
    }

    @Override
    public String content() {
      return Stream.of(documents().locks(), documents().fences())
          .flatMap(collection -> Documents.await(collection.get()).getDocuments().stream())
          .map(document -> document.getReference().getPath() + " " + document.getUpdateTime() + " "
              + new TreeMap<>(document.getData()))
          .collect(Collectors.joining("\n"));
    }
  }
}
