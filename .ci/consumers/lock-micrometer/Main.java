import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.micrometer.LockMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** One request, counted. */
final class Main {
  public static void main(String[] args) {
    var registry = new SimpleMeterRegistry();
    var meters = LockMeters.to(registry);
    try (Locks locks = Locks.builder(meters.over(new MemoryLockBackend())).listener(meters).build()) {
      locks.lock("payment:42").run(lease -> {});
    }
    double granted = registry.get("syncguard.lock.requests").tag("outcome", "granted").counter().count();
    System.out.println(granted == 1 ? "works" : "counted " + granted);
  }
}
