package dev.syncguard.lock.springboot.autoconfigure;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Redis connections whose place only the application's code knows. Spring's connection details are then its default, a server
 * on this machine that nobody meant.
 */
final class HandMadeRedis {

  private static final String FACTORY =
      "org.springframework.data.redis.connection.RedisConnectionFactory";
  private static final List<String> PLACES =
      List.of("url", "host", "port", "sentinel.nodes", "cluster.nodes", "masterreplica.nodes");

  private HandMadeRedis() {}

  /** Returns the names of the beans, or none if Spring was told the place as well. */
  static List<String> names(ConfigurableListableBeanFactory beans, Environment environment) {
    boolean told = isInProperties(environment)
        || !own(RedisStoreFinder.DETAILS_OF_BOOT_3, beans).isEmpty()
        || !own(RedisStoreFinder.DETAILS_OF_BOOT_4, beans).isEmpty();
    return told ? List.of() : own(FACTORY, beans);
  }

  private static boolean isInProperties(Environment environment) {
    Binder binder = Binder.get(environment);
    return PLACES.stream()
        .anyMatch(place -> binder
            .bind("spring.data.redis." + place, Bindable.listOf(String.class))
            .isBound());
  }

  /** Returns the names of the beans of a type that are not from Spring Boot's auto-configuration. */
  private static List<String> own(String type, ConfigurableListableBeanFactory beans) {
    ClassLoader loader = HandMadeRedis.class.getClassLoader();
    return ClassUtils.isPresent(type, loader)
        ? Stream.of(beans.getBeanNamesForType(ClassUtils.resolveClassName(type, loader)))
            .filter(name -> !isAutoConfigured(name, beans))
            .toList()
        : List.of();
  }

  private static boolean isAutoConfigured(String name, ConfigurableListableBeanFactory beans) {
    return beans.containsBeanDefinition(name)
        && String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName())
            .startsWith("org.springframework.boot.");
  }
}
