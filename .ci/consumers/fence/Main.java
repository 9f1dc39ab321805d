// needs com.h2database:h2:2.3.232
import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import java.sql.Connection;
import java.sql.DriverManager;

final class Main {
  public static void main(String[] args) throws Exception {
    JdbcFenceGuard guard = JdbcFenceGuard.h2();
    try (Connection database = DriverManager.getConnection("jdbc:h2:mem:");
        Locks locks = Locks.over(new MemoryLockBackend())) {
      guard.setupSchema(database);
      database.setAutoCommit(false);
      guard.check(database, "payment:42", new Fence(2));
      locks.lock("payment:42").run(lease -> {
        try {
          guard.check(database, lease);
          System.out.println("a late holder was let in");
        } catch (StaleFenceException e) {
          System.out.println("works");
        }
      });
    }
  }
}
