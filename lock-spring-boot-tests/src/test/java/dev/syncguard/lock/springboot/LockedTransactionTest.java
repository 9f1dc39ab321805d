package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The lock is outside of the transaction: taken before it begins, released after it has ended. */
class LockedTransactionTest {

  static class Ledger {
    private final Locks locks;
    private final JdbcTemplate database;
    final List<String> story = new ArrayList<>();

    Ledger(Locks locks, DataSource database) {
      this.locks = locks;
      this.database = new JdbcTemplate(database);
    }

    @Transactional
    @Locked(name = "ledger")
    public void book(boolean fails) {
      story.add("active " + TransactionSynchronizationManager.isActualTransactionActive());
      database.update("insert into entries values (1)");
      TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
        @Override
        public void afterCompletion(int status) {
          story.add((status == STATUS_COMMITTED ? "committed" : "rolled back") + " while locked "
              + locks.isLocked("ledger"));
        }
      });
      if (fails) {
        throw new IllegalStateException("no ink");
      }
    }

    @Locked(name = "inner")
    public void inner() {}

    public List<String> story() {
      return story;
    }
  }

  private static ApplicationContextRunner application() {
    return Applications.withDatabase()
        .withPropertyValues(
            "syncguard.store=memory",
            "spring.datasource.url=jdbc:h2:mem:ledger;DB_CLOSE_DELAY=0",
            "spring.datasource.generate-unique-name=false")
        .withBean(Ledger.class);
  }

  @Test
  void aTransactionCommitsAndRollsBackWhileTheLockIsHeld() {
    application().run(application -> {
      assertThat(application).hasNotFailed();
      new JdbcTemplate(application.getBean(DataSource.class))
          .execute("create table entries (id int)");
      Ledger ledger = application.getBean(Ledger.class);
      ledger.book(false);
      try {
        ledger.book(true);
      } catch (IllegalStateException expected) {
        assertThat(expected).hasMessage("no ink");
      }
      assertThat(ledger.story())
          .containsExactly(
              "active true",
              "committed while locked true",
              "active true",
              "rolled back while locked true");
      assertThat(application.getBean(Locks.class).isLocked("ledger")).isFalse();
    });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true, order = 0)
  static class TransactionsOutside {}

  @Test
  void anApplicationThatPutsItsTransactionsFirstHasThemOutside() {
    application().withUserConfiguration(TransactionsOutside.class).run(application -> {
      new JdbcTemplate(application.getBean(DataSource.class))
          .execute("create table entries (id int)");
      Ledger ledger = application.getBean(Ledger.class);
      ledger.book(false);
      assertThat(ledger.story()).containsExactly("active true", "committed while locked false");
    });
  }

  @Test
  void theOrderIsASetting() {
    application()
        .withPropertyValues("syncguard.locked.order=" + Integer.MAX_VALUE)
        .run(application -> assertThat(application.getBean(LockedAdvisor.class).getOrder())
            .isEqualTo(Integer.MAX_VALUE));
  }

  @Test
  void aLockInsideOfATransactionIsWarnedAboutOnce() {
    List<String> warnings = new ArrayList<>();
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        warnings.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    Logger logger = Logger.getLogger("dev.syncguard.lock.springboot.LockedInterceptor");
    logger.addHandler(handler);
    try {
      application().run(application -> {
        Ledger ledger = application.getBean(Ledger.class);
        ledger.inner();
        assertThat(warnings).isEmpty();
        TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
        transaction.executeWithoutResult(status -> ledger.inner());
        transaction.executeWithoutResult(status -> ledger.inner());
        assertThat(warnings).singleElement().asString().contains("Ledger.inner").contains("commit");
      });
    } finally {
      logger.removeHandler(handler);
    }
  }
}
