package dev.syncguard.lock.springboot.autoconfigure;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the application's Firestore client. */
final class FirestoreStoreFinder implements StoreFinder {

  private final ListableBeanFactory beans;
  private final SyncGuardProperties properties;

  FirestoreStoreFinder(ListableBeanFactory beans, SyncGuardProperties properties) {
    this.beans = beans;
    this.properties = properties;
  }

  @Override
  public Set<Store> stores() {
    return Set.of(Store.FIRESTORE);
  }

  @Override
  public Found find(Optional<Store> chosen) {
    String[] names = beans.getBeanNamesForType(Firestore.class);
    if (names.length == 0) {
      return Found.nothing();
    }
    Firestore firestore = beans.getBeanProvider(Firestore.class).getIfUnique();
    if (firestore == null) {
      throw new LockStoreException(
          "SyncGuard found several Firestore beans: " + String.join(", ", names) + ".",
          "Mark the one that keeps the locks as @Primary.");
    }
    return Found.of(new StoreCandidate(
        Store.FIRESTORE,
        "a Firestore bean",
        () -> FirestoreLockBackend.builder(firestore)
            .collection(properties.firestore().collection())
            .fenceCollection(properties.firestore().fenceCollection())
            .timeout(properties.firestore().timeout())
            .build()));
  }
}
