package dev.syncguard.lock.redis;

import org.junit.jupiter.api.Nested;

/** What the contracts leave open, on the oldest server that we support. */
class Redis6IT {

  @Nested
  class Line extends RedisLineIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Limits extends RedisLimitsIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Damage extends RedisDamageIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Wire extends RedisWireIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class WakeUps extends RedisWakeUpsIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Cleanup extends RedisCleanupIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Cost extends RedisCostIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class Holder extends RedisHolderIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }

  @Nested
  class FullMemory extends RedisFullMemoryIT {
    @Override
    RedisBinary binary() {
      return RedisBinary.REDIS_6_2;
    }
  }
}
