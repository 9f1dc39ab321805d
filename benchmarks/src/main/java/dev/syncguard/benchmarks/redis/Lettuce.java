package dev.syncguard.benchmarks.redis;

import java.net.URI;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections as Spring makes them unless told otherwise. */
final class Lettuce {

  private Lettuce() {}

  static LettuceConnectionFactory connect(String url) {
    URI address = URI.create(url);
    LettuceConnectionFactory factory = new LettuceConnectionFactory(
        new RedisStandaloneConfiguration(address.getHost(), address.getPort()));
    factory.afterPropertiesSet();
    factory.start();
    return factory;
  }
}
