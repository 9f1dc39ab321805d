package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.springboot.actuate.LocksEndpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.util.ReflectionUtils;

/** What the actuator says: how the store is, what is locked and who waits, without a key. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ActuatorTest {

  @TempDir
  Path directory;

  /** Asks the indicator, whose types are elsewhere in either line of Spring Boot. */
  private static Map<?, ?> health(AssertableApplicationContext application, String part) {
    Object indicator = application.getBean("syncguardHealthIndicator");
    Object health = call(indicator, "health");
    return Map.of(
        "status",
        call(health, "getStatus").toString(),
        part,
        ((Map<?, ?>) call(health, "getDetails")).get(part));
  }

  private static Object call(Object target, String method) {
    return Objects.requireNonNull(ReflectionUtils.invokeMethod(
        Objects.requireNonNull(ReflectionUtils.findMethod(target.getClass(), method)), target));
  }

  @Test
  void theStoreIsExamined() {
    Applications.bare()
        .withPropertyValues("syncguard.sqlite.file=" + directory.resolve("locks.db"))
        .run(application -> assertThat(health(application, "backend"))
            .isEqualTo(Map.of("status", "UP", "backend", "sqlite")));
  }

  @Test
  void aStoreThatCannotBeReachedIsDown() {
    Applications.withRedis()
        .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=1")
        .run(application -> assertThat(health(application, "timeAuthority"))
            .isEqualTo(Map.of("status", "DOWN", "timeAuthority", "SERVER")));
  }

  @Test
  void aStoreThatDoesNotAnswerIsDownInTimeAndInWords() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.host=127.0.0.1",
              "spring.data.redis.port=" + silent.getLocalPort(),
              "spring.data.redis.timeout=100ms")
          .run(application -> {
            Map<?, ?> health = health(application, "error");
            assertThat(health.get("status")).isEqualTo("DOWN");
            assertThat(health.get("error")).asString().contains("did not answer in time");
          });
    }
  }

  @Test
  void theIndicatorCanBeTurnedOff() {
    Applications.inMemory()
        .withPropertyValues("management.health.syncguard.enabled=false")
        .run(application ->
            assertThat(application).hasNotFailed().doesNotHaveBean("syncguardHealthIndicator"));
  }

  @Test
  void theEndpointListsLocksAndWaitersByHash() {
    Applications.bare()
        .withPropertyValues(
            "syncguard.sqlite.file=" + directory.resolve("locks.db"),
            "management.endpoints.web.exposure.include=syncguard")
        .run(application -> {
          Locks locks = application.getBean(Locks.class);
          LocksEndpoint endpoint = application.getBean(LocksEndpoint.class);
          String hash = LockHash.of("secret").hex();
          try (Lease lease = locks.lock("secret").acquire()) {
            var waiting = locks.lock("secret").waitUpTo(Duration.ofMinutes(1)).acquireAsync();
            Eventually.holds(() -> endpoint.report().waiting().equals(Map.of(hash, 1)));
            LocksEndpoint.Report report = endpoint.report();
            assertThat(report.store()).isEqualTo("sqlite");
            assertThat(report.live()).singleElement().satisfies(live -> {
              assertThat(live.keyHash()).isEqualTo(hash);
              assertThat(live.fence()).isEqualTo(lease.fence().text());
              assertThat(live.remainingMillis()).isBetween(1L, 30_000L);
            });
            assertThat(report.toString()).doesNotContain("secret");
            waiting.cancel(true);
          }
          Eventually.holds(() -> endpoint.report().live().isEmpty());
        });
  }

  @Test
  void theEndpointIsNotThereUnlessItIsExposed() {
    Applications.inMemory()
        .run(application ->
            assertThat(application).hasNotFailed().doesNotHaveBean(LocksEndpoint.class));
  }
}
