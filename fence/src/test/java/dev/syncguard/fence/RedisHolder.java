package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.testkit.LateHolder;
import java.io.IOException;
import java.nio.file.Path;
import redis.clients.jedis.RedisClient;

/** A process that writes a value to Redis under a lock. */
final class RedisHolder {

  private RedisHolder() {}

  /** Arguments: address of the server, file of the locks, key. */
  public static void main(String[] args) throws IOException {
    try (RedisClient client = RedisClient.create(args[0]);
        SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[1]))) {
      RedisFenceGuard guard = RedisFenceGuard.over(client::eval);
      LateHolder.live(backend, args[2], new LateHolder.Resource() {
        @Override
        public void write(Lease lease, String text) {
          guard.write(lease, args[2], text);
        }

        @Override
        public void write(Fence fence, String text) {
          guard.write(fence, args[2], text);
        }
      });
    }
  }
}
