package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.ReflectionSupport.findNestedClasses;

import dev.syncguard.lock.spi.LockBackend;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The tests of one backend. A class that extends this says how to open the backend and runs every contract that all
 * backends must keep; they are nested here, once for all.
 *
 * <p>What only some backends promise is nested in the class itself, one line each. A contract about something that the
 * backend or its fixture offers cannot be forgotten: it is missed by name. That leaves three to choose: {@link
 * WakeUpContract}, {@link FairLineContract} and {@link AbandonedPlaceContract}, which say how good a waiting line is.
 *
 * <p>These are promises about behaviour, so it does not matter what the class is called or what the backend is written in.
 * Who wants to be strict about that, too, extends {@link StrictBackendContracts}.
 */
public abstract class BackendContracts implements FixtureSource {

  @Test
  void noContractThatAppliesIsMissing() throws Exception {
    List<Class<?>> nested =
        findNestedClasses(getClass(), type -> type.isAnnotationPresent(Nested.class));
    assertThat(applicable())
        .allSatisfy(contract -> assertThat(nested)
            .as(
                "Nest a class that extends %s in %s",
                contract.getSimpleName(), getClass().getName())
            .anyMatch(contract::isAssignableFrom));
  }

  /** Returns the contracts about what this backend and its fixture offer beyond what all do. */
  private List<Class<?>> applicable() throws Exception {
    List<Class<?>> applicable = new ArrayList<>();
    try (LockFixture fixture = newFixture();
        LockBackend backend = fixture.open()) {
      if (fixture instanceof LockFixture.SettableClock) {
        applicable.add(LivenessBoundaryContract.class);
      }
      if (fixture instanceof LockFixture.Cleaning) {
        applicable.add(CleanupContract.class);
      }
      if (fixture instanceof LockFixture.Inspectable) {
        applicable.add(ReadOnlyContract.class);
      }
      if (fixture instanceof LockFixture.Restartable) {
        applicable.add(DurabilityContract.class);
      }
      if (fixture instanceof LockFixture.Networked) {
        applicable.add(NetworkContract.class);
      }
      if (fixture instanceof LockFixture.Breakable) {
        applicable.add(UnreachableStoreContract.class);
      }
      if (backend.waitingLine().isPresent()) {
        applicable.add(WaitingLineContract.class);
        applicable.add(HandOffContract.class);
      }
      if (backend.listing().isPresent()) {
        applicable.add(ListingContract.class);
      }
      if (backend.storeCheck().isPresent()) {
        applicable.add(StoreCheckContract.class);
      }
    }
    return applicable;
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
  class Faults extends FaultContract {}

  @Nested
  class Load extends LoadContract {}

  @Nested
  class Stalls extends StallContract {}

  @Nested
  class Agreement extends AgreementContract {}

  @Nested
  class Secrets extends CanaryContract {}

  @Nested
  class Observers extends TelemetryContract {}

  @Nested
  class Notes extends NoteContract {}

  @Nested
  class Users extends LocksContract {}

  @Nested
  class ForeignLeases extends ForeignLeaseContract {}

  @Nested
  class Leaders extends LeaderElectionContract {}

  @Nested
  class Semaphores extends SemaphoreContract {}

  @Nested
  class UsersInTrouble extends LocksFaultContract {}
}
