package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A database of its own on a server that can be killed. */
final class ProcessFixture implements LockFixture.Restartable {

  /** What survives a crash is asked here, not how fast a new JVM warms up on a busy machine. */
  private static final Duration PATIENCE_WITH_A_COLD_SERVER = Duration.ofMinutes(1);

  private static int databases;

  private final ServerProcess server;
  private final RunningTime time = new RunningTime();
  private final String project = "demo-" + ++databases;
  private final List<Firestore> clients = new ArrayList<>();

  ProcessFixture(ServerProcess server) {
    this.server = server;
  }

  private Firestore connect() {
    var options = LocalFirestore.options(server.emulatorHost());
    options.setProjectId(project);
    Firestore client = options.build().getService();
    clients.add(client);
    return client;
  }

  @Override
  public LockBackend open() {
    return FirestoreLockBackend.builder(connect())
        .time(time)
        .allowUnsafeClock()
        .timeout(PATIENCE_WITH_A_COLD_SERVER)
        .build();
  }

  @Override
  public void pass(Duration duration) {
    time.advance(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    Documents.set(
        new LockDocuments(connect(), "locks", "fence_counters").fence(key),
        Map.of("fence", String.format("%015d", handedOut)));
  }

  @Override
  public void restart() {
    server.kill();
    server.restart();
  }

  @Override
  public void close() {
    clients.forEach(Firestore::shutdownNow);
  }
}
