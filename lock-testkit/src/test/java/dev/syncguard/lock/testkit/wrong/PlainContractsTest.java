package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AbsenceContract;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.ClosedBackendContract;
import dev.syncguard.lock.testkit.DurabilityContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.NetworkContract;
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.StrictBackendContracts;
import dev.syncguard.lock.testkit.UnreachableStoreContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The plain backend keeps all promises, so whatever the contracts find when {@link WrongBackendsTest} runs them again is
 * what was made wrong.
 */
@Tag("slow")
@ExtendWith(PlainContractsTest.Ways.class)
class PlainContractsTest extends StrictBackendContracts {

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

  @Override
  protected Path sources() {
    return Path.of("src", "test", "java", "dev", "syncguard", "lock", "testkit", "wrong");
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
  class Closed extends ClosedBackendContract {}

  @Nested
  class Looks extends ReadOnlyContract {}

  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}

  @Nested
  class Absences extends AbsenceContract {
    @Override
    protected Absence ofAnEndedLease() {
      return Absence.EXPIRED;
    }

    @Override
    protected TimeAuthority timeAuthority() {
      return TimeAuthority.SERVER;
    }
  }

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUps extends WakeUpContract {}

  @Nested
  class FairLine extends FairLineContract {}

  @Nested
  class HandOff extends HandOffContract {}

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
  class Networks extends NetworkContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}
}
