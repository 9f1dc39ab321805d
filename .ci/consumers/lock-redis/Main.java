import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.redis.RedisLockBackend;
import java.net.InetAddress;
import java.net.ServerSocket;

/** No server is needed to see that every class is there: a port that nobody listens on is told as such. */
final class Main {
  public static void main(String[] args) throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (var backend = RedisLockBackend.connect("redis://127.0.0.1:" + port);
        Locks locks = Locks.over(backend)) {
      locks.lock("payment:42").tryAcquire();
    } catch (LockException e) {
      System.out.println(e.code() == LockException.Code.SERVICE_UNAVAILABLE ? "works" : e.toString());
    }
  }
}
