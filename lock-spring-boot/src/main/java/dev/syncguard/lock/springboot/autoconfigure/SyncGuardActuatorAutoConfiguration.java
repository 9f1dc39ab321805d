package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.actuate.Boot3HealthIndicator;
import dev.syncguard.lock.springboot.actuate.Boot4HealthIndicator;
import dev.syncguard.lock.springboot.actuate.LocksEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds a health indicator and an endpoint where the actuator is. */
@AutoConfiguration(after = SyncGuardAutoConfiguration.class)
@ConditionalOnBean({LockBackend.class, Locks.class, SyncGuardProperties.class})
public class SyncGuardActuatorAutoConfiguration {

  /** Where the actuator is. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  @ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
  static class Endpoints {
    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint syncguardLocksEndpoint(LockBackend backend, Locks locks) {
      return new LocksEndpoint(backend, locks);
    }
  }

  /** Where health is that of Spring Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator(
      "syncguard")
  static class Boot3Health {
    @Bean
    @ConditionalOnMissingBean(name = "syncguardHealthIndicator")
    Boot3HealthIndicator syncguardHealthIndicator(LockBackend backend) {
      return new Boot3HealthIndicator(backend);
    }
  }

  /** Where health is that of Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
      "syncguard")
  static class Boot4Health {
    @Bean
    @ConditionalOnMissingBean(name = "syncguardHealthIndicator")
    Boot4HealthIndicator syncguardHealthIndicator(LockBackend backend) {
      return new Boot4HealthIndicator(backend);
    }
  }
}
