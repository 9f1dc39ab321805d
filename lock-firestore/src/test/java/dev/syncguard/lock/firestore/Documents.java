package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Reads and writes documents behind a backend's back. */
final class Documents {

  private Documents() {}

  static DocumentSnapshot get(Firestore firestore, DocumentReference document) {
    return await(firestore.getAll(document)).get(0);
  }

  static void set(DocumentReference document, Map<String, Object> fields) {
    await(document.set(fields));
  }

  static <T> T await(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
