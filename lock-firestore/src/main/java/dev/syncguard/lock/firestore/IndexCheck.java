package dev.syncguard.lock.firestore;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import io.grpc.Status;

/** Proves that Firestore finds locks by their id, which it does by itself unless somebody took the index away. */
final class IndexCheck {

  private static final LockId NOBODYS = LockId.parse("-".repeat(22));

  private final Calls calls;
  private final LockDocuments documents;

  IndexCheck(Calls calls, LockDocuments documents) {
    this.calls = calls;
    this.documents = documents;
  }

  /** Throws {@code InvalidArgument} with the command that creates the index if it is missing. */
  void verify(Cancellation cancellation) {
    if (calls.status(calls.begin(cancellation), documents.locksWithId(NOBODYS))
        == Status.Code.FAILED_PRECONDITION) {
      throw LockException.invalidArgument(
          "Firestore has no index on the field lockId, so no lock could be released. Create it with:"
              + " gcloud firestore indexes fields update lockId --collection-group="
              + documents.locks().getId() + " --index=order=ascending,query-scope=collection");
    }
  }
}
