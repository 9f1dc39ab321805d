package dev.syncguard.lock.redis;

/** The oldest server that we support keeps all promises. */
class Redis6ContractsIT extends RedisContracts {
  Redis6ContractsIT() {
    super(RedisBinary.REDIS_6_2);
  }
}
