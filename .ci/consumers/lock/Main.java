import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;

final class Main {
  public static void main(String[] args) {
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks.lock("payment:42").run(lease -> System.out.println(lease.fence().value() == 1 ? "works" : "odd fence"));
    }
  }
}
