package dev.syncguard.lock.redis;

import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AbsenceContract;
import dev.syncguard.lock.testkit.ClosedBackendContract;
import dev.syncguard.lock.testkit.DurabilityContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.StrictBackendContracts;
import dev.syncguard.lock.testkit.UnreachableStoreContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The contracts of a Redis backend, whatever the version of the server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisContracts extends StrictBackendContracts {

  private final RedisBinary binary;
  private RedisProcess server;

  RedisContracts(RedisBinary binary) {
    this.binary = binary;
  }

  @BeforeAll
  void startServer() {
    server = RedisProcess.start(binary, RedisFixture.SETTINGS);
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  @Override
  public LockFixture newFixture() {
    return new RedisFixture(server);
  }

  @Nested
  class Closed extends ClosedBackendContract {}

  @Nested
  class Absences extends AbsenceContract {
    @Override
    protected Absence ofAnEndedLease() {
      return Absence.NOT_FOUND;
    }

    @Override
    protected TimeAuthority timeAuthority() {
      return TimeAuthority.SERVER;
    }
  }

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUpCalls extends WakeUpContract {}

  @Nested
  class FairLine extends FairLineContract {}

  @Nested
  class HandOff extends HandOffContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Durability extends DurabilityContract {}

  @Nested
  class Looks extends ReadOnlyContract {}

  @Nested
  class Doctor extends StoreCheckContract {}

  @Nested
  class Unreachable extends UnreachableStoreContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}
}
