// needs firestore-server
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.fence.firestore.FirestoreFenceGuard;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Fence;
import java.util.Map;

final class Main {
  public static void main(String[] args) throws Exception {
    try (var server = FirestoreServer.builder().start();
        var firestore = FirestoreOptions.newBuilder()
            .setProjectId("demo")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService()) {
      var guard = FirestoreFenceGuard.over(firestore);
      var document = firestore.document("accounts/42");
      guard.write(new Fence(2), document, Map.of("balance", 100));
      try {
        guard.write(new Fence(1), document, Map.of("balance", 0));
        System.out.println("a late holder was let in");
      } catch (StaleFenceException e) {
        System.out.println("works");
      }
    }
  }
}
