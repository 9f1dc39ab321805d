// needs org.postgresql:postgresql:42.7.14
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import java.net.ServerSocket;

/** Who uses PostgreSQL does not get SQLite, and misses nothing without it. */
final class Main {
  public static void main(String[] args) throws Exception {
    if (System.getProperty("java.class.path").contains("sqlite")) {
      System.out.println("brings SQLite");
      return;
    }
    int closed;
    try (var socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    try (var backend = PostgresLockBackend.connect("postgresql://nobody:nothing@localhost:" + closed + "/none");
        Locks locks = Locks.over(backend)) {
      locks.lock("payment:42").failFast().tryAcquire();
      System.out.println("got a lock from nobody");
    } catch (LockException e) {
      System.out.println(e.code() == LockException.Code.SERVICE_UNAVAILABLE ? "works" : e.toString());
    }
  }
}
