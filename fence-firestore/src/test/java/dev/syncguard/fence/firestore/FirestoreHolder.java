package dev.syncguard.fence.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.testkit.LateHolder;
import java.nio.file.Path;
import java.util.Map;

/** A process that writes a document under a lock. */
final class FirestoreHolder {

  private FirestoreHolder() {}

  static Firestore connect(String emulatorHost) {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo-fence")
        .setEmulatorHost(emulatorHost)
        .build()
        .getService();
  }

  /** Arguments: address of the server, file of the locks, key. */
  public static void main(String[] args) throws Exception {
    try (Firestore firestore = connect(args[0]);
        SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[1]))) {
      FirestoreFenceGuard guard = FirestoreFenceGuard.over(firestore);
      DocumentReference document = firestore.document("reports/" + args[2]);
      LateHolder.live(backend, args[2], new LateHolder.Resource() {
        @Override
        public void write(Lease lease, String text) throws Exception {
          guard.write(lease, document, Map.of("text", text));
        }

        @Override
        public void write(Fence fence, String text) throws Exception {
          guard.write(fence, document, Map.of("text", text));
        }
      });
    }
  }
}
