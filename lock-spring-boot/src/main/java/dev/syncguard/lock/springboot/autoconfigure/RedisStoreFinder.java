package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.redis.RedisLockBackend;
import dev.syncguard.lock.redis.RedisSettings;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import redis.clients.jedis.UnifiedJedis;

/**
 * Finds the application's Redis: a URL of ours, a Jedis client, or what Spring's connection details say, whichever client
 * the application itself uses.
 */
final class RedisStoreFinder implements StoreFinder {

  static final String DETAILS_OF_BOOT_3 =
      "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails";
  static final String DETAILS_OF_BOOT_4 =
      "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails";

  private final ConfigurableListableBeanFactory beans;
  private final SyncGuardProperties.Redis properties;
  private final Environment environment;

  RedisStoreFinder(
      ConfigurableListableBeanFactory beans,
      SyncGuardProperties properties,
      Environment environment) {
    this.beans = beans;
    this.properties = properties.redis();
    this.environment = environment;
  }

  /** Where Spring says that the server is, and how to talk to it; without a bundle nobody has asked for TLS so far. */
  record SpringRedis(RedisSettings settings, Optional<SslBundle> bundle, boolean cluster) {}

  @Override
  public Set<Store> stores() {
    return Set.of(Store.REDIS);
  }

  @Override
  public Found find(Optional<Store> chosen) {
    String url = properties.url();
    if (url != null) {
      boolean cluster = url.startsWith("redis+cluster:") || url.startsWith("rediss+cluster:");
      return found("syncguard.redis.url", cluster, () -> RedisLockBackend.builder(url));
    }
    UnifiedJedis client = beans.getBeanProvider(UnifiedJedis.class).getIfUnique();
    if (client != null) {
      return found("a Jedis client", false, () -> RedisLockBackend.builder(client));
    }
    String[] clients = beans.getBeanNamesForType(UnifiedJedis.class);
    if (clients.length > 0) {
      throw new LockStoreException(
          "SyncGuard found several Jedis clients: " + String.join(", ", clients) + ".",
          "Mark the one that keeps the locks as @Primary, or set syncguard.redis.url.");
    }
    List<String> handMade = HandMadeRedis.names(beans, environment);
    if (!handMade.isEmpty()) {
      return found("a Redis connection made by hand", false, () -> {
        throw new LockStoreException(
            "The application connects to Redis by hand (" + String.join(", ", handMade)
                + "), which does not tell SyncGuard where that is.",
            "Say it with syncguard.redis.url, or with spring.data.redis.*.");
      });
    }
    return details()
        .map(redis -> found(
            "a Redis connection (spring.data.redis)",
            redis.cluster(),
            () -> RedisLockBackend.builder(withTimeout(encrypted(redis)))))
        .orElseGet(Found::nothing);
  }

  private Optional<SpringRedis> details() {
    if (isPresent(DETAILS_OF_BOOT_3)) {
      return Boot3RedisDetails.of(beans);
    }
    return isPresent(DETAILS_OF_BOOT_4) ? Boot4RedisDetails.of(beans) : Optional.empty();
  }

  /** TLS is wanted by a bundle or, which connection details do not tell, by the URL alone. */
  private RedisSettings encrypted(SpringRedis redis) {
    if (redis.bundle().isPresent()) {
      return redis.settings().encrypted(redis.bundle().get().createSslContext());
    }
    String url = environment.getProperty("spring.data.redis.url", "");
    return url.startsWith("rediss:") ? redis.settings().encrypted() : redis.settings();
  }

  private RedisSettings withTimeout(RedisSettings settings) {
    return Binder.get(environment)
        .bind("spring.data.redis.timeout", Duration.class)
        .map(settings::timeout)
        .orElse(settings);
  }

  static LockStoreException unknownPlace() {
    return new LockStoreException(
        "The Redis of spring.data.redis is neither one server, nor Sentinel, nor a cluster.",
        "Say where the primary is with syncguard.redis.url.");
  }

  private interface Building {
    RedisLockBackend.Builder builder();
  }

  private Found found(String origin, boolean cluster, Building building) {
    return Found.of(new StoreCandidate(Store.REDIS, origin, () -> open(building, cluster)));
  }

  private LockBackend open(Building building, boolean cluster) {
    RedisLockBackend.Builder builder = building.builder();
    if (properties.keyPrefix() != null) {
      builder.keyPrefix(properties.keyPrefix());
    } else if (cluster) {
      // All keys of a cluster's locks must be in one slot, for which they need a hash tag.
      builder.keyPrefix("{syncguard}");
    }
    if (properties.minReplicasAcked() > 0) {
      builder.minReplicasAcked(properties.minReplicasAcked(), properties.replicaTimeout());
    }
    return builder.build();
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, RedisStoreFinder.class.getClassLoader());
  }
}
