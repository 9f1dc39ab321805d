package dev.syncguard.lock.springboot;

import dev.syncguard.lock.springboot.autoconfigure.SyncGuardActuatorAutoConfiguration;
import dev.syncguard.lock.springboot.autoconfigure.SyncGuardAdaptersAutoConfiguration;
import dev.syncguard.lock.springboot.autoconfigure.SyncGuardAutoConfiguration;
import dev.syncguard.lock.springboot.autoconfigure.SyncGuardMetersAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Applications as Spring Boot would make them, in either line, whose auto-configurations live in other packages. */
final class Applications {

  private Applications() {}

  /** Returns an application that has the starter, and what the starter finds nothing in. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner().withConfiguration(starter());
  }

  static AutoConfigurations starter() {
    return AutoConfigurations.of(
        SyncGuardAutoConfiguration.class,
        SyncGuardMetersAutoConfiguration.class,
        SyncGuardActuatorAutoConfiguration.class,
        SyncGuardAdaptersAutoConfiguration.class,
        AopAutoConfiguration.class,
        TaskSchedulingAutoConfiguration.class);
  }

  /** Returns one whose locks are in memory. */
  static ApplicationContextRunner inMemory() {
    return bare().withPropertyValues("syncguard.store=memory");
  }

  static ApplicationContextRunner withDatabase() {
    return bare()
        .withConfiguration(AutoConfigurations.of(
            either("jdbc.DataSourceAutoConfiguration"),
            either("jdbc.DataSourceTransactionManagerAutoConfiguration"),
            either("transaction.TransactionAutoConfiguration")));
  }

  static ApplicationContextRunner withRedis() {
    return bare().withConfiguration(redis());
  }

  static AutoConfigurations redis() {
    return AutoConfigurations.of(
        boot3()
            ? type("org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration")
            : type("org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"),
        type("org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"));
  }

  @SuppressWarnings("unchecked") // Nobody here knows more about it than that it is an object.
  static Class<Object> redisDetails() {
    return (Class<Object>)
        (boot3()
            ? type("org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails")
            : type("org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails"));
  }

  /** Returns what gives an application a registry of meters, in the order in which Spring Boot would not put it. */
  static AutoConfigurations meters() {
    String metrics = boot3()
        ? "org.springframework.boot.actuate.autoconfigure.metrics."
        : "org.springframework.boot.micrometer.metrics.autoconfigure.";
    return AutoConfigurations.of(
        type(metrics + "export.simple.SimpleMetricsExportAutoConfiguration"),
        type(metrics + "CompositeMeterRegistryAutoConfiguration"),
        type(metrics + "MetricsAutoConfiguration"));
  }

  static boolean boot3() {
    return ClassUtils.isPresent(
        "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration", null);
  }

  /** Returns an auto-configuration that is {@code autoconfigure.x.Name} in one line and {@code x.autoconfigure.Name} in the other. */
  static Class<?> either(String name) {
    List<String> parts = new ArrayList<>(List.of(name.split("\\.")));
    String simple = parts.remove(parts.size() - 1);
    String module = String.join(".", parts);
    return boot3()
        ? type("org.springframework.boot.autoconfigure." + module + "." + simple)
        : type("org.springframework.boot." + module + ".autoconfigure." + simple);
  }

  static Class<?> type(String name) {
    return ClassUtils.resolveClassName(name, null);
  }
}
