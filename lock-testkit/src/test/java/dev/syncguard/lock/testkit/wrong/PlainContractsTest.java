package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AgreementContract;
import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.BackendContracts;
import dev.syncguard.lock.testkit.BadInputContract;
import dev.syncguard.lock.testkit.CanaryContract;
import dev.syncguard.lock.testkit.CancellationContract;
import dev.syncguard.lock.testkit.CleanupContract;
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
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
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
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The plain backend keeps all promises, so whatever the contracts find when {@link WrongBackendsTest} runs them again is
 * what was made wrong.
 */
@ExtendWith(PlainContractsTest.Ways.class)
class PlainContractsTest extends BackendContracts {

  /** The configuration parameter that says what is wrong. */
  static final String WRONG = "wrong";

  private final Wrong wrong;

  PlainContractsTest(Wrong wrong) {
    this.wrong = wrong;
  }

  @Override
  public LockFixture newFixture() {
    return new PlainFixture(wrong.backend());
  }

  static final class Ways implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Wrong.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context.getConfigurationParameter(WRONG).map(Wrong::named).orElse(Wrong.NOTHING);
    }
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
  class Looks extends ReadOnlyContract {}

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

  @Nested
  class StoreChecks extends StoreCheckContract {}

  @Nested
  class Cleanup extends CleanupContract {}

  @Nested
  class Durability extends DurabilityContract {}

  @Nested
  class UnreachableStore extends UnreachableStoreContract {}

  @Nested
  class UserView extends LocksContract {}

  @Nested
  class UserViewOfFaults extends LocksFaultContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}

  @Nested
  class Sources extends SourceContract {
    @Override
    protected Path sources() {
      return Path.of("src", "test", "java", "dev", "syncguard", "lock", "testkit", "wrong");
    }
  }
}
