/** Locks on Redis, shared with the TypeScript SyncGuard: standalone, Sentinel and Cluster. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock.redis {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires transitive redis.clients.jedis;
  requires org.apache.commons.pool2;

  exports dev.syncguard.lock.redis;
}
