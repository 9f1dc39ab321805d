package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AgreementContract;
import dev.syncguard.lock.testkit.AwkwardKeysContract;
import dev.syncguard.lock.testkit.BackendContracts;
import dev.syncguard.lock.testkit.BadInputContract;
import dev.syncguard.lock.testkit.CanaryContract;
import dev.syncguard.lock.testkit.CancellationContract;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.ExpirationContract;
import dev.syncguard.lock.testkit.FaultContract;
import dev.syncguard.lock.testkit.FenceContract;
import dev.syncguard.lock.testkit.FenceLimitContract;
import dev.syncguard.lock.testkit.HandOverContract;
import dev.syncguard.lock.testkit.IdempotenceContract;
import dev.syncguard.lock.testkit.LifecycleContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.LoadContract;
import dev.syncguard.lock.testkit.LocksContract;
import dev.syncguard.lock.testkit.LocksFaultContract;
import dev.syncguard.lock.testkit.LookupContract;
import dev.syncguard.lock.testkit.OwnershipContract;
import dev.syncguard.lock.testkit.SourceContract;
import dev.syncguard.lock.testkit.StallContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.TelemetryContract;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The contracts of a Firestore backend, however the server lets transactions meet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FirestoreContracts extends BackendContracts {

  FirestoreServer server;
  Firestore firestore;

  /** Returns how transactions meet on the server. */
  abstract Concurrency concurrency();

  /** Returns the clock that the server and its clients share. */
  abstract Time time();

  @BeforeAll
  void startServer() {
    server = FirestoreServer.builder()
        .concurrency(concurrency())
        .strictIndexes(true)
        .time(time()::now)
        .start();
    firestore = LocalFirestore.connect(server.emulatorHost());
  }

  @AfterAll
  void stopServer() throws Exception {
    firestore.close();
    server.close();
  }

  @Nested
  class Lifecycle extends LifecycleContract {}

  @Nested
  class Contention extends ContentionContract {}

  @Nested
  class Expiration extends ExpirationContract {}

  @Nested
  class Ownerships extends OwnershipContract {}

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
  class Cleanup extends CleanupContract {}

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUpCalls extends WakeUpContract {}

  @Nested
  class HandOver extends HandOverContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Secrets extends CanaryContract {}

  @Nested
  class Faults extends FaultContract {}

  @Nested
  class Load extends LoadContract {}

  @Nested
  class Sources extends SourceContract {}

  @Nested
  class Doctor extends StoreCheckContract {}

  @Nested
  class UsersView extends LocksContract {}

  @Nested
  class UsersViewOfFaults extends LocksFaultContract {}

  @Nested
  class Stalls extends StallContract {}

  @Nested
  class Agreement extends AgreementContract {}

  @Nested
  class Observers extends TelemetryContract {}
}
