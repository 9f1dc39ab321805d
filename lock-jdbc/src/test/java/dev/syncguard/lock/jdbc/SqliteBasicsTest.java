package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteBasicsTest {
  private static final Cancellation NONE = Cancellation.none();

  @Test
  void aKeyGoesFromHolderToHolderWithGrowingFences(@TempDir Path directory) {
    try (SqliteLockBackend backend = SqliteLockBackend.open(directory.resolve("locks.db"))) {
      LockKey key = LockKey.of("report");
      for (int round = 1; round <= 3; round++) {
        LockId id = LockId.random(new SecureRandom());
        AcquireResult.Acquired grant =
            (AcquireResult.Acquired) backend.acquire(key, id, Ttl.ofMillis(30_000), NONE);
        assertThat(grant.fence().value()).isEqualTo(round);
        assertThat(backend.acquire(key, id, Ttl.ofMillis(30_000), NONE)).isEqualTo(grant);
        assertThat(
                backend.acquire(key, LockId.random(new SecureRandom()), Ttl.ofMillis(30_000), NONE))
            .isInstanceOf(AcquireResult.Contended.class);
        assertThat(backend.isLocked(key, NONE)).isTrue();
        assertThat(backend.release(id, NONE)).isInstanceOf(ReleaseResult.Released.class);
        assertThat(backend.isLocked(key, NONE)).isFalse();
      }
    }
  }
}
