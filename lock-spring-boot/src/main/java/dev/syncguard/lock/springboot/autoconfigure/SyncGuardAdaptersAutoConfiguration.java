package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.springboot.LeaseLocks;
import dev.syncguard.lock.springboot.integration.SyncGuardLockRegistry;
import dev.syncguard.lock.springboot.shedlock.SyncGuardLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** Offers the locks under the names that other libraries have for them, if the application has those libraries. */
@AutoConfiguration(after = SyncGuardAutoConfiguration.class)
@ConditionalOnBean({Locks.class, SyncGuardProperties.class})
public class SyncGuardAdaptersAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  LeaseLocks syncguardLeaseLocks(Locks locks, SyncGuardProperties properties) {
    return new LeaseLocks(
        locks, properties.lockRegistry().ttl(), properties.lockRegistry().maxHold());
  }

  /** For ShedLock. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LockProvider.class)
  static class ShedLock {
    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    SyncGuardLockProvider syncguardLockProvider(Locks locks, SyncGuardProperties properties) {
      return new SyncGuardLockProvider(locks, properties.shedlock().keyPrefix());
    }
  }

  /** For Spring Integration. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LockRegistry.class)
  static class Integration {
    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    SyncGuardLockRegistry syncguardLockRegistry(LeaseLocks locks, SyncGuardProperties properties) {
      return new SyncGuardLockRegistry(locks, properties.lockRegistry().keyPrefix());
    }
  }
}
