package dev.syncguard.lock.firestore;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An empty Firestore behind a proxy that can be cut off. */
final class ProxyFixture implements LockFixture.Breakable {

  private final FirestoreServer server;
  private final FaultProxy proxy;
  private final FirestoreClient client;

  ProxyFixture(FirestoreServer server) throws IOException {
    this.server = server;
    this.proxy = FaultProxy.to("127.0.0.1", server.port());
    server.clear();
    this.client = FirestoreClient.connect(LocalFirestore.options("127.0.0.1:" + proxy.port()));
  }

  @Override
  public LockBackend open() {
    // The clock of the server stands still, and ours does not.
    return new FirestoreLockBackendBuilder(() -> client, false)
        .allowUnsafeClock()
        .build();
  }

  @Override
  public void pass(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    throw new UnsupportedOperationException("Not needed to find out about broken connections");
  }

  @Override
  public void breakDown() {
    proxy.breakDown();
  }

  @Override
  public void repair() {
    proxy.heal();
  }

  @Override
  public void close() {
    client.firestore().shutdownNow();
    proxy.close();
    server.clear();
  }
}
