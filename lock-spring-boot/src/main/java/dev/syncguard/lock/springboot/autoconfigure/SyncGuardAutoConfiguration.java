package dev.syncguard.lock.springboot.autoconfigure;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import dev.syncguard.lock.redis.RedisLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.LockBackendCustomizer;
import dev.syncguard.lock.springboot.LockedAdvisor;
import dev.syncguard.lock.springboot.LockedDefaults;
import dev.syncguard.lock.springboot.LocksCustomizer;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Makes {@link Locks} from the one store that the application has, unless it has a {@link LockBackend} or {@link Locks} of
 * its own, and applies {@code @Locked}.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "com.google.cloud.spring.autoconfigure.firestore.GcpFirestoreAutoConfiguration",
      "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration"
    })
@ConditionalOnProperty(name = "syncguard.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SyncGuardProperties.class)
@Import(AutoProxying.class)
public class SyncGuardAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean({LockBackend.class, Locks.class})
  LockBackend syncguardLockBackend(
      ObjectProvider<StoreFinder> finders, SyncGuardProperties properties) {
    return new StoreChoice(finders.orderedStream().toList())
        .open(Optional.ofNullable(properties.store()));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Locks syncguardLocks(
      LockBackend backend,
      SyncGuardProperties properties,
      ObjectProvider<LockBackendCustomizer> backendCustomizers,
      ObjectProvider<LocksCustomizer> customizers) {
    LockBackend customized = backend;
    for (LockBackendCustomizer customizer : backendCustomizers.orderedStream().toList()) {
      customized = customizer.customize(customized);
    }
    Locks.Builder builder = Locks.builder(customized).disposeTimeout(properties.closeTimeout());
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.build();
  }

  @Bean
  LocksLifecycle syncguardLocksLifecycle(Locks locks, ConfigurableApplicationContext application) {
    return new LocksLifecycle(locks, application);
  }

  // Static and late in asking for other beans: whoever applies advisors needs this one before those
  // exist.
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedAdvisor syncguardLockedAdvisor(
      ConfigurableListableBeanFactory beans, Environment environment) {
    int order = environment.getProperty(
        "syncguard.locked.order", Integer.class, LockedAdvisor.DEFAULT_ORDER);
    return new LockedAdvisor(
        beans,
        SingletonSupplier.of(() -> beans.getBean(Locks.class)),
        () -> {
          SyncGuardProperties.Locked locked =
              beans.getBean(SyncGuardProperties.class).locked();
          return new LockedDefaults(locked.ttl(), locked.waitUpTo());
        },
        order);
  }

  /** Looks for databases. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(PostgresLockBackend.class)
  static class Jdbc {
    @Bean
    JdbcStoreFinder syncguardJdbcStoreFinder(
        ListableBeanFactory beans, SyncGuardProperties properties) {
      return new JdbcStoreFinder(beans, properties);
    }
  }

  /** Looks for Redis. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisLockBackend.class)
  static class Redis {
    @Bean
    RedisStoreFinder syncguardRedisStoreFinder(
        ConfigurableListableBeanFactory beans,
        SyncGuardProperties properties,
        Environment environment) {
      return new RedisStoreFinder(beans, properties, environment);
    }
  }

  /** Looks for Firestore. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({FirestoreLockBackend.class, Firestore.class})
  static class GoogleFirestore {
    @Bean
    FirestoreStoreFinder syncguardFirestoreStoreFinder(
        ListableBeanFactory beans, SyncGuardProperties properties) {
      return new FirestoreStoreFinder(beans, properties);
    }
  }
}
