package dev.syncguard.lock.redis;

import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AgreementContract;
import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.BackendContracts;
import dev.syncguard.lock.testkit.BadInputContract;
import dev.syncguard.lock.testkit.CanaryContract;
import dev.syncguard.lock.testkit.CancellationContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.DurabilityContract;
import dev.syncguard.lock.testkit.ExpirationContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.FaultContract;
import dev.syncguard.lock.testkit.FenceContract;
import dev.syncguard.lock.testkit.FenceLimitContract;
import dev.syncguard.lock.testkit.HandOverContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LoadContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.LocksContract;
import dev.syncguard.lock.testkit.LocksFaultContract;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.SourceContract;
import dev.syncguard.lock.testkit.StallContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.TelemetryContract;
import dev.syncguard.lock.testkit.UnreachableStoreContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The contracts of a Redis backend, whatever the version of the server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisContracts extends BackendContracts {

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
  class Lifecycle extends LifecycleContract {}

  @Nested
  class Contention extends ContentionContract {}

  @Nested
  class Expiration extends ExpirationContract {}

  @Nested
  class Ownership extends OwnershipContract {}

  @Nested
  class Fences extends FenceContract {}

  @Nested
  class FenceLimit extends FenceLimitContract {}

  @Nested
  class Lookup extends LookupContract {}

  @Nested
  class BadInput extends BadInputContract {}

  @Nested
  class AwkwardKeys extends AwkwardKeysContract {}

  @Nested
  class Cancellations extends CancellationContract {}

  @Nested
  class Idempotence extends IdempotenceContract {}

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUpCalls extends WakeUpContract {}

  @Nested
  class FairLine extends FairLineContract {}

  @Nested
  class HandOver extends HandOverContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Secrets extends CanaryContract {}

  @Nested
  class Durability extends DurabilityContract {}

  @Nested
  class Faults extends FaultContract {}

  @Nested
  class Load extends LoadContract {}

  @Nested
  class Stalls extends StallContract {}

  @Nested
  class Agreement extends AgreementContract {}

  @Nested
  class Observers extends TelemetryContract {}

  @Nested
  class Looks extends ReadOnlyContract {}

  @Nested
  class Sources extends SourceContract {}

  @Nested
  class Doctor extends StoreCheckContract {}

  @Nested
  class Unreachable extends UnreachableStoreContract {}

  @Nested
  class UsersView extends LocksContract {}

  @Nested
  class UsersViewOfFaults extends LocksFaultContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}
}
