package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.firestore.FirestoreLockBackend;
import dev.syncguard.lock.micrometer.LockMeters;
import dev.syncguard.lock.springboot.LockBackendCustomizer;
import dev.syncguard.lock.springboot.LocksCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Shows the locks in the application's registry of meters, where {@code lock-micrometer} is. A {@link LockMeters} bean of the
 * application, such as one that names keys, is used instead.
 */
@AutoConfiguration(
    before = SyncGuardAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({LockMeters.class, MeterRegistry.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnProperty(name = "syncguard.enabled", matchIfMissing = true)
public class SyncGuardMetersAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  LockMeters syncguardLockMeters(MeterRegistry registry) {
    return LockMeters.to(registry);
  }

  @Bean
  LocksCustomizer syncguardMetersListener(LockMeters meters) {
    return locks -> locks.listener(meters);
  }

  // Outermost, so that the timers see what callers wait for.
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  LockBackendCustomizer syncguardMetersBackend(LockMeters meters) {
    return meters::over;
  }

  /** Where the store may be one whose clock is compared with ours. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(FirestoreLockBackend.class)
  static class ClockOffset {

    // First, while the backend is still itself.
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    LockBackendCustomizer syncguardClockOffset(LockMeters meters) {
      return backend -> {
        if (backend instanceof FirestoreLockBackend firestore) {
          meters.clockOffset("firestore", () -> firestore.clockHealth().offset());
        }
        return backend;
      };
    }
  }
}
