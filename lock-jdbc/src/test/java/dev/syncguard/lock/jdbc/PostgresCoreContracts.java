package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.ExpirationContract;
import dev.syncguard.lock.testkit.FairLineContract;
import dev.syncguard.lock.testkit.FenceContract;
import dev.syncguard.lock.testkit.FenceLimitContract;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LockFixture;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.Nested;

/** The promises that each of our statements is needed for: what they do and what they answer could differ with the server. */
abstract class PostgresCoreContracts implements FixtureSource {

  private final PostgresBinaries binaries;

  PostgresCoreContracts(PostgresBinaries binaries) {
    this.binaries = binaries;
  }

  @Override
  public LockFixture newFixture() {
    return new PostgresFixture(binaries);
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
  class AwkwardKeys extends AwkwardKeysContract {}

  @Nested
  class Idempotence extends IdempotenceContract {}

  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}

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
  class Cleanup extends CleanupContract {}

  @Nested
  class StoreChecks extends StoreCheckContract {}
}
