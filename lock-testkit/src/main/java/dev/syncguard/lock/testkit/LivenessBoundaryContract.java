package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All operations agree to the millisecond on when a lock is live: up to, but not at, one second after its expiry.
 *
 * <p>For stores whose clock a test can set: {@link LockFixture.SettableClock}.
 */
public abstract class LivenessBoundaryContract extends Contract {

  private static final Ttl TTL = Ttl.ofMillis(5_000);
  private Grant grant;

  @BeforeEach
  final void takeALease() {
    fixture(LockFixture.SettableClock.class);
    grant = take("report", TTL);
  }

  private void moveToExpiryPlus(long millis) {
    pass(TTL.duration().plus(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void anAttemptIsRefusedExactlyWhileTheLockIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    assertThat(attempt("report") instanceof AcquireResult.Contended).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void aRepeatedAttemptFindsItsGrantExactlyWhileTheLockIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    AcquireResult again = backend.acquire(grant.key(), grant.id(), LONG, NEVER);
    assertThat(((AcquireResult.Acquired) again).fence().equals(grant.fence())).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void aReleaseSucceedsExactlyWhileTheLockIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    assertThat(release(grant)).isEqualTo(live);
    assertThat(isLocked("report")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void anExtensionSucceedsExactlyWhileTheLockIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    assertThat(extend(grant, TTL)).isEqualTo(live);
    assertThat(isLocked("report")).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void aKeyIsLockedExactlyWhileTheLockIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    assertThat(isLocked("report")).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, true", "999, true", "1000, false", "1001, false"})
  void aLookupFindsTheLockExactlyWhileItIsLive(long afterExpiry, boolean live) {
    moveToExpiryPlus(afterExpiry);
    assertThat(backend.lookup(new LockQuery.ByKey(grant.key()), NEVER).isPresent())
        .isEqualTo(live);
    assertThat(backend.lookup(new LockQuery.ById(grant.id()), NEVER).isPresent())
        .isEqualTo(live);
  }
}
