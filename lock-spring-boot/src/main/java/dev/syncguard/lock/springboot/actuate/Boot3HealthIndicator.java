package dev.syncguard.lock.springboot.actuate;

import dev.syncguard.lock.spi.LockBackend;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Tells Spring Boot 3 how the store of the locks is. Thread-safe. */
public final class Boot3HealthIndicator implements HealthIndicator {

  private final LockBackend backend;

  /** Creates an indicator that asks this backend. */
  public Boot3HealthIndicator(LockBackend backend) {
    this.backend = backend;
  }

  @Override
  public Health health() {
    StoreHealth health = StoreHealth.of(backend);
    return (health.up() ? Health.up() : Health.down())
        .withDetails(health.details())
        .build();
  }
}
