package dev.syncguard.lock.testkit.memory;

import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AgreementContract;
import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.BackendContracts;
import dev.syncguard.lock.testkit.BadInputContract;
import dev.syncguard.lock.testkit.CanaryContract;
import dev.syncguard.lock.testkit.CancellationContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.ExpirationContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.FaultContract;
import dev.syncguard.lock.testkit.FenceContract;
import dev.syncguard.lock.testkit.FenceLimitContract;
import dev.syncguard.lock.testkit.HandOverContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LoadContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.LocksContract;
import dev.syncguard.lock.testkit.LocksFaultContract;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.SourceContract;
import dev.syncguard.lock.testkit.StallContract;
import dev.syncguard.lock.testkit.TelemetryContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The in-memory backend keeps all promises but durability. */
class MemoryContractsTest extends BackendContracts {

  @Override
  public LockFixture newFixture() {
    return new MemoryFixture();
  }

  @Nested
  class AbandonedPlace extends AbandonedPlaceContract {}

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
  class Canary extends CanaryContract {}

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
  class UserView extends LocksContract {}

  @Nested
  class UserViewOfFaults extends LocksFaultContract {}

  @Nested
  class Sources extends SourceContract {
    @Override
    protected Path sources() {
      return Path.of("..", "lock", "src", "main", "java", "dev", "syncguard", "lock", "memory");
    }
  }

  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUps extends WakeUpContract {}

  @Nested
  class FairLine extends FairLineContract {}

  @Nested
  class HandOver extends HandOverContract {}

  @Nested
  class Listing extends ListingContract {}
}
