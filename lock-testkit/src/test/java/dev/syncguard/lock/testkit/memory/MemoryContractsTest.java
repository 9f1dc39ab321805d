package dev.syncguard.lock.testkit.memory;

import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AbsenceContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.StrictBackendContracts;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The in-memory backend keeps all promises but durability. */
class MemoryContractsTest extends StrictBackendContracts {

  @Override
  public LockFixture newFixture() {
    return new MemoryFixture();
  }

  @Override
  protected Path sources() {
    return Path.of("..", "lock", "src", "main", "java", "dev", "syncguard", "lock", "memory");
  }

  @Nested
  class AbandonedPlace extends AbandonedPlaceContract {}

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
}
