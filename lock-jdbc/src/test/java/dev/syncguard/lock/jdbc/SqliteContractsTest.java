package dev.syncguard.lock.jdbc;

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
import dev.syncguard.lock.testkit.ReadOnlyContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.StrictBackendContracts;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The SQLite backend keeps all promises, on a clock that a test can set. */
@Tag("slow")
class SqliteContractsTest extends StrictBackendContracts {

  @Override
  public LockFixture newFixture() {
    return new SqliteFixture();
  }

  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}

  @Nested
  class Closed extends ClosedBackendContract {}

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
  class AbandonedPlace extends AbandonedPlaceContract {}

  @Nested
  class HandOff extends HandOffContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Looks extends ReadOnlyContract {}

  @Nested
  class Cleanup extends CleanupContract {}

  @Nested
  class StoreChecks extends StoreCheckContract {}

  @Nested
  class Durability extends DurabilityContract {}
}
