package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FaultProxy;
import dev.syncguard.lock.testkit.LockFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An empty Firestore behind a proxy that can be cut off. */
final class ProxyFixture implements LockFixture.Breakable {

  private final FirestoreServer server;
  private final FaultProxy proxy;
  private final Firestore firestore;

  ProxyFixture(FirestoreServer server) throws IOException {
    this.server = server;
    this.proxy = FaultProxy.to("127.0.0.1", server.port());
    server.clear();
    var options = LocalFirestore.options("127.0.0.1:" + proxy.port());
    options.setRetrySettings(LocalFirestore.retries(2));
    this.firestore = options.build().getService();
  }

  @Override
  public LockBackend open() {
    return FirestoreLockBackend.over(firestore);
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
    firestore.shutdownNow();
    proxy.close();
    server.clear();
  }
}
