package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.Capabilities.TimeAuthority;
import dev.syncguard.lock.testkit.AbandonedPlaceContract;
import dev.syncguard.lock.testkit.AbsenceContract;
import dev.syncguard.lock.testkit.CleanupContract;
import dev.syncguard.lock.testkit.ClosedBackendContract;
import dev.syncguard.lock.testkit.HandOffContract;
import dev.syncguard.lock.testkit.ListingContract;
import dev.syncguard.lock.testkit.StoreCheckContract;
import dev.syncguard.lock.testkit.StrictBackendContracts;
import dev.syncguard.lock.testkit.WaitingLineContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The contracts of a Firestore backend, however the server lets transactions meet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FirestoreContracts extends StrictBackendContracts {

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
  class Cleanup extends CleanupContract {}

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
      return TimeAuthority.CLIENT;
    }
  }

  @Nested
  class Waiting extends WaitingLineContract {}

  @Nested
  class WakeUpCalls extends WakeUpContract {}

  @Nested
  class HandOff extends HandOffContract {}

  @Nested
  class AbandonedPlaces extends AbandonedPlaceContract {}

  @Nested
  class Listing extends ListingContract {}

  @Nested
  class Doctor extends StoreCheckContract {}
}
