package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.autoconfigure.LockStoreException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import redis.clients.jedis.JedisPooled;

/** The locks are in the one store that the application has, and nobody guesses. */
class StoreChoiceTest {

  @TempDir
  Path directory;

  private String sqlite() {
    return "spring.datasource.url=jdbc:sqlite:" + directory.resolve("app.db");
  }

  @Test
  void aSqliteDatabaseGetsAFileOfLocksBesideIt() {
    Applications.withDatabase().withPropertyValues(sqlite()).run(application -> {
      assertThat(store(application)).isEqualTo("sqlite");
      application.getBean(Locks.class).lock("report").run(lease -> {});
      assertThat(Files.exists(directory.resolve("app.db.locks"))).isTrue();
    });
  }

  @Test
  void aFileOfLocksNeedsNoDatabase() {
    Applications.bare()
        .withPropertyValues("syncguard.sqlite.file=" + directory.resolve("locks.db"))
        .run(application -> assertThat(store(application)).isEqualTo("sqlite"));
  }

  @Test
  void withoutAStoreTheErrorSaysWhatToAdd() {
    Applications.bare().run(application -> {
      FailureAnalysis analysis = analysis(application);
      assertThat(analysis.getDescription()).contains("no store");
      assertThat(analysis.getAction())
          .contains("syncguard-lock-jdbc")
          .contains("spring.datasource.url")
          .contains("syncguard-lock-redis")
          .contains("syncguard-lock-firestore")
          .contains("syncguard.enabled=false");
    });
  }

  @Test
  void aDatabaseThatCannotKeepLocksIsNamed() {
    Applications.withDatabase()
        .withPropertyValues("spring.datasource.url=jdbc:h2:mem:other")
        .run(application -> assertThat(analysis(application).getDescription())
            .contains("no store")
            .contains("a DataSource for H2"));
  }

  @Test
  void twoStoresAreRefusedUntilOneIsChosen() {
    var both = Applications.withDatabase()
        .withConfiguration(Applications.redis())
        .withPropertyValues(sqlite(), "spring.data.redis.port=1");
    both.run(application -> {
      FailureAnalysis analysis = analysis(application);
      assertThat(analysis.getDescription())
          .contains("more than one store")
          .contains("a DataSource for SQLite")
          .contains("a Redis connection");
      assertThat(analysis.getAction())
          .contains("syncguard.store=sqlite")
          .contains("syncguard.store=redis");
    });
    both.withPropertyValues("syncguard.store=sqlite")
        .run(application -> assertThat(store(application)).isEqualTo("sqlite"));
    both.withPropertyValues("syncguard.store=redis")
        .run(application -> assertThat(store(application)).isEqualTo("redis"));
  }

  @Test
  void aChosenStoreThatIsNotThereIsSaidToBeMissing() {
    Applications.bare().withPropertyValues("syncguard.store=postgres").run(application -> {
      assertThat(analysis(application).getDescription()).contains("no such store");
      assertThat(analysis(application).getAction()).contains("spring.datasource.url");
    });
    Applications.bare()
        .withPropertyValues("syncguard.store=firestore")
        .run(application -> assertThat(analysis(application).getAction())
            .contains("com.google.cloud.firestore.Firestore"));
  }

  @Test
  void severalDataSourcesAreRefusedUntilOneIsNamed() {
    var two = Applications.bare().withUserConfiguration(TwoDatabases.class);
    two.run(application -> {
      assertThat(analysis(application).getDescription()).contains("first").contains("second");
      assertThat(analysis(application).getAction()).contains("syncguard.data-source=");
    });
    two.withPropertyValues("syncguard.data-source=first")
        .run(application -> assertThat(analysis(application).getDescription()).contains("H2"));
    two.withPropertyValues("syncguard.data-source=third").run(application -> {
      assertThat(analysis(application).getDescription()).contains("third");
      assertThat(analysis(application).getAction()).contains("first").contains("second");
    });
  }

  @Test
  void aDatabaseThatIsNotTheChosenStoreIsNamed() {
    for (String store : List.of("postgres", "sqlite")) {
      Applications.withDatabase()
          .withPropertyValues("spring.datasource.url=jdbc:h2:mem:other", "syncguard.store=" + store)
          .run(application -> assertThat(analysis(application).getDescription())
              .contains("syncguard.store is " + store)
              .contains("a DataSource for H2"));
    }
  }

  /** Where such a factory leads nobody can see, and Spring's properties would say localhost. */
  @Test
  void aRedisThatTheApplicationConnectsToByHandIsNotGuessed() {
    var byHand = Applications.withRedis().withUserConfiguration(RedisByHand.class);
    byHand.run(application -> {
      assertThat(analysis(application).getDescription()).contains("orders, users");
      assertThat(analysis(application).getAction()).contains("syncguard.redis.url");
    });
    for (String place : List.of(
        "syncguard.redis.url=redis://127.0.0.1:1",
        "spring.data.redis.port=1",
        "spring.data.redis.url=redis://127.0.0.1:1")) {
      byHand
          .withPropertyValues(place)
          .run(application -> assertThat(store(application)).isEqualTo("redis"));
    }
  }

  /** As Docker Compose and Testcontainers bring them; these lead nowhere. */
  @Test
  void connectionDetailsThatSomebodyElseBringsAreBelieved() {
    Applications.withRedis()
        .withUserConfiguration(RedisByHand.class)
        .withBean("details", Applications.redisDetails(), StoreChoiceTest::details)
        .run(application -> assertThat(analysis(application).getDescription())
            .contains("neither one server, nor Sentinel, nor a cluster"));
  }

  private static Object details() {
    return Proxy.newProxyInstance(
        StoreChoiceTest.class.getClassLoader(),
        new Class<?>[] {Applications.redisDetails()},
        (proxy, method, arguments) -> method.getName().equals("toString") ? "details" : null);
  }

  @Test
  void severalJedisClientsAreRefused() {
    Applications.withRedis()
        .withBean("orders", JedisPooled.class, () -> new JedisPooled("127.0.0.1", 1))
        .withBean("users", JedisPooled.class, () -> new JedisPooled("127.0.0.1", 2))
        .run(application -> {
          assertThat(analysis(application).getDescription()).contains("orders, users");
          assertThat(analysis(application).getAction()).contains("@Primary");
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class RedisByHand {
    @Bean
    @Primary
    RedisConnectionFactory orders() {
      return new LettuceConnectionFactory("127.0.0.1", 1);
    }

    @Bean
    RedisConnectionFactory users() {
      return new LettuceConnectionFactory("127.0.0.1", 2);
    }
  }

  @Test
  void aBackendOfTheApplicationWins() {
    Applications.withDatabase()
        .withPropertyValues(sqlite())
        .withBean(LockBackend.class, MemoryLockBackend::new)
        .run(application -> assertThat(store(application)).isEqualTo("memory"));
  }

  @Test
  void itCanBeTurnedOff() {
    Applications.bare()
        .withPropertyValues("syncguard.enabled=false")
        .run(application -> assertThat(application).hasNotFailed().doesNotHaveBean(Locks.class));
  }

  @Test
  void turnedOffItLeavesLocksOfTheApplicationAlone() {
    Applications.bare()
        .withPropertyValues("syncguard.enabled=false")
        .withBean(Locks.class, () -> Locks.over(new MemoryLockBackend()))
        .run(application -> assertThat(application)
            .hasNotFailed()
            .hasSingleBean(Locks.class)
            .doesNotHaveBean(LeaseLocks.class));
  }

  @Test
  void customizersPutSomethingAroundTheBackend() {
    var seen = new java.util.concurrent.atomic.AtomicReference<LockBackend>();
    Applications.inMemory()
        .withBean(LockBackendCustomizer.class, () -> backend -> {
          seen.set(backend);
          return backend;
        })
        .run(
            application -> assertThat(seen.get()).isSameAs(application.getBean(LockBackend.class)));
  }

  private static String store(AssertableApplicationContext application) {
    assertThat(application).hasSingleBean(Locks.class);
    return application.getBean(LockBackend.class).capabilities().backend();
  }

  /** Returns what Spring Boot would show. */
  private static FailureAnalysis analysis(AssertableApplicationContext application) {
    assertThat(application).hasFailed();
    assertThat(application.getStartupFailure()).hasRootCauseInstanceOf(LockStoreException.class);
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((m, e) -> {}))
        .stream()
        .map(analyzer -> analyzer.analyze(application.getStartupFailure()))
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {
    @Bean
    DataSource first() {
      return new DriverManagerDataSource("jdbc:h2:mem:first");
    }

    @Bean
    DataSource second() {
      return new DriverManagerDataSource("jdbc:h2:mem:second");
    }
  }
}
