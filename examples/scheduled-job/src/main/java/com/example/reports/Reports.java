package com.example.reports;

import dev.syncguard.lock.springboot.Locked;
import dev.syncguard.lock.springboot.WhenBusy;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Writes a report every second, once for all instances together. */
@SpringBootApplication
@EnableScheduling
public class Reports {

  private final JdbcClient database;
  private final String instance;

  Reports(JdbcClient database, @Value("${instance}") String instance) {
    this.database = database;
    this.instance = instance;
  }

  /**
   * Whoever comes second does not wait but leaves it to the other. The lock is kept for half a second even if the job is done
   * earlier, so that an instance whose clock is a little behind does not do it again.
   */
  @Scheduled(cron = "* * * * * *")
  @Locked(name = "report", ttl = "1m", waitUpTo = "0s", atLeast = "500ms", whenBusy = WhenBusy.SKIP)
  public void write() {
    int last = database.sql("select coalesce(max(number), 0) from report").query(Integer.class).single();
    if (last < 5) {
      database.sql("insert into report values (?, ?)").params(last + 1, instance).update();
      System.out.printf("report %d by instance %s%n", last + 1, instance);
    }
  }

  public static void main(String[] arguments) {
    SpringApplication.run(Reports.class, arguments);
  }
}
