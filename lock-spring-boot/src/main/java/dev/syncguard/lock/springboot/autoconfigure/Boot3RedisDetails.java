package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.redis.RedisSettings;
import dev.syncguard.lock.springboot.autoconfigure.RedisStoreFinder.SpringRedis;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Cluster;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Node;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Sentinel;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/** Reads the connection details of Spring Boot 3. Loaded only there. */
final class Boot3RedisDetails {

  private Boot3RedisDetails() {}

  static Optional<SpringRedis> of(ListableBeanFactory beans) {
    return Optional.ofNullable(
            beans.getBeanProvider(RedisConnectionDetails.class).getIfUnique())
        .map(Boot3RedisDetails::read);
  }

  private static SpringRedis read(RedisConnectionDetails details) {
    Sentinel sentinel = details.getSentinel();
    Cluster cluster = details.getCluster();
    if (sentinel != null) {
      RedisSettings settings = RedisSettings.sentinel(
              sentinel.getMaster(), addresses(sentinel.getNodes()))
          .database(sentinel.getDatabase())
          .sentinelLogin(sentinel.getUsername(), sentinel.getPassword());
      return redis(settings, details, sentinel.getSslBundle(), false);
    }
    if (cluster != null) {
      return redis(
          RedisSettings.cluster(addresses(cluster.getNodes())),
          details,
          cluster.getSslBundle(),
          true);
    }
    Standalone server = details.getStandalone();
    if (server == null) {
      throw RedisStoreFinder.unknownPlace();
    }
    return redis(
        RedisSettings.standalone(server.getHost(), server.getPort()).database(server.getDatabase()),
        details,
        server.getSslBundle(),
        false);
  }

  private static SpringRedis redis(
      RedisSettings place,
      RedisConnectionDetails details,
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
