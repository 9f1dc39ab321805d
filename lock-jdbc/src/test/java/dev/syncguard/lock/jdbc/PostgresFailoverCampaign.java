package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.FailoverRun;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What takes too long for every build; {@code torture/campaign} runs it. */
@Timeout(value = 9, unit = TimeUnit.MINUTES)
class PostgresFailoverCampaign {

  /** The log is flushed whenever a page of it is full, so a crash takes only what the last page holds, and sometimes nothing. */
  private static final int TRIES = 6;

  private static final String FORGETFUL = """
      DO $$ DECLARE f record; BEGIN
        FOR f IN SELECT pg_get_functiondef(oid) AS source FROM pg_proc WHERE prosrc LIKE '%synchronous_commit%' LOOP
          EXECUTE replace(f.source, '''on'', true)', '''off'', true)');
        END LOOP;
      END $$""";

  @Test
  void commitsThatDoNotWaitForTheDiskAreFoundUnlessTheFunctionsInsistOnIt() {
    try (PostgresServer server = PostgresServer.start(
        PostgresBinaries.SYSTEM, "synchronous_commit=off", "wal_writer_delay=10s")) {
      PostgresFailoverIT.setUp(server);
      FailoverRun.Failover crash = () -> {
        server.kill();
        server.start();
      };
      FailoverRun confirmed = FailoverRun.of(() -> PostgresFailoverIT.open(server), crash);
      assertThat(confirmed.violations()).as(confirmed.toString()).isEmpty();

      server.execute(FORGETFUL);
      FailoverRun trusting = FailoverRun.of(() -> PostgresFailoverIT.open(server), crash);
      for (int i = 1; i < TRIES && trusting.fenceViolations().isEmpty(); i++) {
        trusting = FailoverRun.of(() -> PostgresFailoverIT.open(server), crash);
      }
      assertThat(trusting.fenceViolations()).as(trusting.toString()).isNotEmpty();
    }
  }
}
