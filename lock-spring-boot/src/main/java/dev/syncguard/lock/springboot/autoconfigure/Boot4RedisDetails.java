package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.redis.RedisSettings;
import dev.syncguard.lock.springboot.autoconfigure.RedisStoreFinder.SpringRedis;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/** Reads the connection details of Spring Boot 4. Loaded only there. */
final class Boot4RedisDetails {

  private Boot4RedisDetails() {}

  static Optional<SpringRedis> of(ListableBeanFactory beans) {
    return Optional.ofNullable(
            beans.getBeanProvider(DataRedisConnectionDetails.class).getIfUnique())
        .map(Boot4RedisDetails::read);
  }

  private static SpringRedis read(DataRedisConnectionDetails details) {
    Sentinel sentinel = details.getSentinel();
    Cluster cluster = details.getCluster();
    if (sentinel != null) {
      RedisSettings settings = RedisSettings.sentinel(
              sentinel.getMaster(), addresses(sentinel.getNodes()))
          .database(sentinel.getDatabase())
          .sentinelLogin(sentinel.getUsername(), sentinel.getPassword());
      return redis(settings, details, details.getSslBundle(), false);
    }
    if (details.getMasterReplica() != null) {
      // There is a server besides, the one that Spring has by default.
      throw RedisStoreFinder.unknownPlace();
    }
    if (cluster != null) {
      return redis(
          RedisSettings.cluster(addresses(cluster.getNodes())),
          details,
          details.getSslBundle(),
          true);
    }
    Standalone server = details.getStandalone();
    if (server == null) {
      throw RedisStoreFinder.unknownPlace();
    }
    return redis(
        RedisSettings.standalone(server.getHost(), server.getPort()).database(server.getDatabase()),
        details,
        details.getSslBundle(),
        false);
  }

  private static SpringRedis redis(
      RedisSettings place,
      DataRedisConnectionDetails details,
      @Nullable SslBundle bundle,
      boolean cluster) {
    return new SpringRedis(
        place.login(details.getUsername(), details.getPassword()),
        Optional.ofNullable(bundle),
        cluster);
  }

  private static List<InetSocketAddress> addresses(List<Node> nodes) {
    return nodes.stream()
        .map(node -> InetSocketAddress.createUnresolved(node.host(), node.port()))
        .toList();
  }
}
