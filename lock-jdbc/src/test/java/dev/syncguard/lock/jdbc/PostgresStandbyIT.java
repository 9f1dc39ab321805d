package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby can be looked at, and says where locks are to be taken. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PostgresStandbyIT {

  private static final Cancellation NEVER = Cancellation.none();
  private static final LockKey KEY = LockKey.of("report");
  private static final Ttl TTL = Ttl.ofMillis(600_000);

  @Test
  void aStandbySendsUsToThePrimaryAndCanBeLookedAt() {
    try (PostgresServer server = PostgresServer.start(PostgresBinaries.V18, "hot_standby=on")) {
      LockId id = LockId.random(new SecureRandom());
      try (PostgresLockBackend primary = PostgresLockBackend.connect(server.url())) {
        primary.setupSchema();
        primary.acquire(KEY, id, TTL, NEVER);
      }
      server.becomeStandby();
      try (PostgresLockBackend standby = PostgresLockBackend.connect(server.url())) {
        List<Runnable> refused = List.of(
            standby::setupSchema,
            standby::verifySchema,
            () -> standby.acquire(KEY, LockId.random(new SecureRandom()), TTL, NEVER),
            () -> standby.extend(id, TTL, NEVER),
            () -> standby.release(id, NEVER));
        for (Runnable call : refused) {
          LockException refusal = catchThrowableOfType(LockException.class, call::run);
          assertThat(refusal).hasMessageContaining("standby").hasMessageContaining("primary");
          assertThat(refusal.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        }
        assertThat(standby.isLocked(KEY, NEVER)).isTrue();
        assertThat(standby.storeCheck().orElseThrow().examine(NEVER))
            .filteredOn(finding -> finding.severity() == Severity.FAILURE)
            .extracting(Finding::subject)
            .containsExactly("writing");
      }
    }
  }
}
