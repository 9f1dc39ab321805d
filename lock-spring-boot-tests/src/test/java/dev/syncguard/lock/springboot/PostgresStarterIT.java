package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.spi.LockBackend;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** The locks are in the PostgreSQL that the application's pool leads to, outside of its transactions. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresStarterIT {

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    postgres = EmbeddedPostgres.builder().start();
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  private static ApplicationContextRunner application() {
    return Applications.withDatabase()
        .withPropertyValues(
            "spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
            "spring.datasource.username=postgres",
            "spring.datasource.hikari.maximum-pool-size=4");
  }

  static class Orders {
    private final Locks locks;
    final JdbcTemplate database;

    Orders(Locks locks, HikariDataSource database) {
      this.locks = locks;
      this.database = new JdbcTemplate(database);
    }

    @Transactional
    @Locked(key = "'order:' + #id")
    public boolean ship(int id) {
      database.execute("create table if not exists shipped (id int)");
      database.update("insert into shipped values (?)", id);
      boolean locked = locks.isLocked("order:" + id);
      if (id < 0) {
        throw new IllegalArgumentException("rolled back");
      }
      return locked;
    }
  }

  @Test
  void aRollbackOfTheApplicationDoesNotTouchTheLock() {
    application().withBean(Orders.class).run(application -> {
      assertThat(application).hasNotFailed();
      assertThat(application.getBean(LockBackend.class).capabilities().backend())
          .isEqualTo("postgres");
      Orders orders = application.getBean(Orders.class);
      Locks locks = application.getBean(Locks.class);
      assertThat(orders.ship(1)).isTrue();
      assertThat(locks.isLocked("order:1")).isFalse();
      try {
        orders.ship(-1);
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessage("rolled back");
      }
      try (Lease lease = locks.lock("order:-1").acquire()) {
        assertThat(lease.fence().value()).as("the fence was not rolled back").isEqualTo(2);
      }
    });
  }

  @Test
  void twoApplicationsExcludeEachOther() {
    application()
        .run(one -> application().run(two -> {
          try (Lease lease = one.getBean(Locks.class).lock("shared").acquire()) {
            assertThat(two.getBean(Locks.class).lock("shared").tryAcquire()).isEmpty();
            assertThat(lease.isHeld()).isTrue();
          }
          two.getBean(Locks.class).lock("shared").run(lease -> {});
        }));
  }

  @Test
  void leasesAreGivenBackBeforeThePoolCloses() {
    List<String> story = new CopyOnWriteArrayList<>();
    List<HikariDataSource> pool = new CopyOnWriteArrayList<>();
    application().run(other -> {
      application().run(application -> {
        pool.add(application.getBean(HikariDataSource.class));
        Lease lease = application
            .getBean(Locks.class)
            .lock("report")
            .ttl(Duration.ofHours(1))
            .acquire();
        lease
            .whenLost()
            .thenAccept(loss -> story.add(loss + ", pool closed " + pool.get(0).isClosed()));
      });
      assertThat(pool.get(0).isClosed()).isTrue();
      assertThat(other.getBean(Locks.class).isLocked("report"))
          .as("others need not wait for the ttl of an hour")
          .isFalse();
      Eventually.holds(() -> !story.isEmpty());
      assertThat(story.get(0)).startsWith(Loss.CLOSED.toString());
    });
  }

  @Test
  void anApplicationThatIsPausedGoesOnWithItsLocks() {
    application().run(application -> {
      application.getSourceApplicationContext().stop();
      application.getSourceApplicationContext().start();
      application.getBean(Locks.class).lock("after the pause").run(lease -> {});
    });
  }

  @Test
  void tablesThatTheDbaMakesAreOnlyChecked() {
    application()
        .withPropertyValues(
            "syncguard.postgres.set-up-schema=false", "syncguard.postgres.lock-table=not_there")
        .run(application -> {
          assertThat(application).hasFailed();
          assertThat(application.getStartupFailure()).hasStackTraceContaining("not_there");
        });
  }
}
