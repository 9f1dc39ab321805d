package dev.syncguard.lock.firestore;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.NetworkContract;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.proxy.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Firestore behind a network that fails. */
class FirestoreNetworkIT extends NetworkContract implements FixtureSource {

  private static FirestoreServer server;

  @BeforeAll
  static void startServer() {
    server = FirestoreServer.builder().strictIndexes(true).start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  public LockFixture newFixture() throws IOException {
    return new Fixture();
  }

  private static final class Fixture implements LockFixture.Networked {
    private final FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());

    Fixture() throws IOException {
      server.clear();
    }

    @Override
    public LockBackend open() {
      return connect(server.port());
    }

    @Override
    public LockBackend openThroughNetwork() {
      return connect(proxy.port());
    }

    private static LockBackend connect(int port) {
      return FirestoreLockBackend.builder(
              LocalFirestore.options("127.0.0.1:" + port).build())
          .timeout(DRIVER_PATIENCE)
          .build();
    }

    @Override
    public Network network() {
      return proxy;
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
    public void close() {
      proxy.close();
    }
  }
}
