package dev.syncguard.lock.redis;

/** The newest server that the system offers keeps all promises. */
class Redis7ContractsIT extends RedisContracts {
  Redis7ContractsIT() {
    super(RedisBinary.SYSTEM);
  }
}
