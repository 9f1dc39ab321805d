package dev.syncguard.lock.firestore;

import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.testkit.DurabilityContract;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.UnreachableStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server that locks what transactions read, as Firestore does; the clock stands still unless it is moved. */
class FirestoreContractsIT extends FirestoreContracts {

  private final ManualTime time = ManualTime.stopped();

  @Override
  Concurrency concurrency() {
    return Concurrency.PESSIMISTIC;
  }

  @Override
  Time time() {
    return time;
  }

  @Override
  public LockFixture newFixture() {
    return new FirestoreFixture.Stopped(server, firestore, time, time::advance);
  }

  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}

  @Nested
  class Looks extends ReadOnlyContract {}

  @Nested
  class Unreachable extends UnreachableStoreContract implements FixtureSource {
    @Override
    public LockFixture newFixture() throws IOException {
      return new ProxyFixture(server);
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class Durability extends DurabilityContract implements FixtureSource {
    private ServerProcess process;

    @BeforeAll
    void startProcess(@TempDir Path directory) {
      process = ServerProcess.start(directory);
    }

    @AfterAll
    void stopProcess() {
      process.close();
    }

    @Override
    public LockFixture newFixture() {
      return new ProcessFixture(process);
    }
  }
}
