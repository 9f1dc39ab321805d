package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.micrometer.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;

/** An application with a registry of meters sees its locks there, without a line of code. */
class MetersTest {

  @Test
  void requestsHoldsAndOperationsAreMetered() {
    Applications.inMemory().withConfiguration(Applications.meters()).run(application -> {
      application.getBean(Locks.class).lock("secret").run(lease -> {});
      MeterRegistry registry = application.getBean(MeterRegistry.class);
      assertThat(registry
              .get("syncguard.lock.requests")
              .tag("outcome", "granted")
              .counter()
              .count())
          .isEqualTo(1);
      assertThat(registry.get("syncguard.lock.hold").timers().stream()
              .mapToLong(Timer::count)
              .sum())
          .isEqualTo(1);
      assertThat(registry.get("syncguard.lock.operations").timers())
          .as("operations at the store")
          .isNotEmpty();
      assertThat(registry.getMeters().stream().map(meter -> meter.getId().toString()))
          .noneMatch(id -> id.contains("secret"));
    });
  }

  @Test
  void metersOfTheApplicationsOwnAreUsedInstead() {
    Applications.inMemory()
        .withBean(SimpleMeterRegistry.class)
        .withBean(
            LockMeters.class, () -> LockMeters.to(new SimpleMeterRegistry()).nameKeys(key -> "all"))
        .run(application -> {
          application.getBean(Locks.class).lock("report").run(lease -> {});
          assertThat(application).hasSingleBean(LockMeters.class);
          assertThat(application
                  .getBean(MeterRegistry.class)
                  .find("syncguard.lock.requests")
                  .counters())
              .isEmpty();
        });
  }

  @Test
  void withoutARegistryOrTheModuleThereAreNoneAndNothingFails() {
    Applications.inMemory()
        .run(application ->
            assertThat(application).hasNotFailed().doesNotHaveBean(LockMeters.class));
    Applications.inMemory()
        .withConfiguration(Applications.meters())
        .withClassLoader(new FilteredClassLoader(LockMeters.class))
        .run(application -> {
          assertThat(application).hasNotFailed();
          application.getBean(Locks.class).lock("report").run(lease -> {});
          assertThat(application
                  .getBean(MeterRegistry.class)
                  .find("syncguard.lock.requests")
                  .counters())
              .isEmpty();
        });
  }

  @Test
  void locksThatAreTurnedOffHaveNoMeters() {
    Applications.inMemory()
        .withConfiguration(Applications.meters())
        .withPropertyValues("syncguard.enabled=false")
        .run(application ->
            assertThat(application).hasNotFailed().doesNotHaveBean(LockMeters.class));
  }
}
