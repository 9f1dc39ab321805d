import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.opentelemetry.LockSpans;
import io.opentelemetry.api.OpenTelemetry;

/** With the API alone, as in a program that nobody traces. */
final class Main {
  public static void main(String[] args) {
    var spans = LockSpans.to(OpenTelemetry.noop());
    try (Locks locks = Locks.builder(new MemoryLockBackend()).listener(spans).build()) {
      locks.lock("payment:42").run(lease -> System.out.println(lease.fence().value() == 1 ? "works" : "odd fence"));
    }
  }
}
