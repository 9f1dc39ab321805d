// needs firestore-server
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import java.time.Duration;

/** Client and server in one JVM, as in somebody's tests: they must agree about gRPC and protobuf. */
final class Main {
  public static void main(String[] args) throws Exception {
    try (var server = FirestoreServer.builder().start();
        var firestore = FirestoreOptions.newBuilder()
            .setProjectId("demo")
            .setEmulatorHost(server.emulatorHost())
            .build()
            .getService();
        var backend = FirestoreLockBackend.over(firestore);
        Locks locks = Locks.over(backend)) {
      locks.lock("payment:42")
          .waitUpTo(Duration.ofMinutes(1)) // the first call of a client takes its time on a busy machine
          .run(lease -> System.out.println(lease.fence().value() == 1 ? "works" : "odd fence"));
    }
  }
}
