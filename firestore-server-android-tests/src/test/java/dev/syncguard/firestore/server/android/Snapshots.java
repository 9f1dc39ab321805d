package dev.syncguard.firestore.server.android;

import com.google.firebase.firestore.DocumentSnapshot;
import com.google.firebase.firestore.FirebaseFirestoreException;
import com.google.firebase.firestore.ListenerRegistration;
import com.google.firebase.firestore.MetadataChanges;
import com.google.firebase.firestore.Query;
import com.google.firebase.firestore.QuerySnapshot;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What a listener of a phone is told. */
final class Snapshots implements AutoCloseable {
  private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();
  private final ListenerRegistration registration;

  Snapshots(Query query) {
    this.registration = query.addSnapshotListener(
        Runnable::run,
        MetadataChanges.INCLUDE,
        (snapshot, failure) -> told.add(failure == null ? snapshot : failure));
  }

  /** Waits for a snapshot; those before it are left out. */
  QuerySnapshot until(Predicate<QuerySnapshot> wanted) throws InterruptedException {
    while (true) {
      if (next() instanceof QuerySnapshot snapshot && wanted.test(snapshot)) {
        return snapshot;
      }
    }
  }

  FirebaseFirestoreException failure() throws InterruptedException {
    while (true) {
      if (next() instanceof FirebaseFirestoreException failure) {
        return failure;
      }
    }
  }

  private Object next() throws InterruptedException {
    Object next = told.poll(150, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("The listener is told nothing any more");
    }
    return next;
  }

  static List<String> ids(QuerySnapshot snapshot) {
    return snapshot.getDocuments().stream().map(DocumentSnapshot::getId).toList();
  }

  static boolean isFromServer(QuerySnapshot snapshot) {
    return !snapshot.getMetadata().isFromCache() && !snapshot.getMetadata().hasPendingWrites();
  }

  @Override
  public void close() {
    registration.remove();
  }
}
