package dev.syncguard.lock.jdbc;

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

/** PostgreSQL behind a network that fails. */
class PostgresNetworkIT extends NetworkContract implements FixtureSource {

  @Override
  public LockFixture newFixture() throws IOException {
    return new Fixture();
  }

  private static final class Fixture implements LockFixture.Networked {
    private final PostgresDatabase database = new PostgresDatabase();
    private final FaultProxy proxy =
        FaultProxy.to("127.0.0.1", database.server().port());

    Fixture() throws IOException {
      database.open().close();
    }

    @Override
    public LockBackend open() {
      return PostgresLockBackend.connect(database.url());
    }

    @Override
    public LockBackend openThroughNetwork() {
      return PostgresLockBackend.builder(PostgresServer.url(proxy.port(), database.name()))
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
      database.close();
    }
  }
}
