package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Without its store a backend says so, in a way that callers can act on, and recovers when the store is back. */
public abstract class UnreachableStoreContract extends Contract {

  private static final Set<LockException.Code> NO_ANSWER =
      Set.of(LockException.Code.SERVICE_UNAVAILABLE, LockException.Code.NETWORK_TIMEOUT);

  private LockFixture.Breakable store;

  @BeforeEach
  final void requireBreakable() {
    store = fixture(LockFixture.Breakable.class);
  }

  @Test
  void everyOperationFailsWithACodeThatInvitesARetry() {
    Canary canary = new Canary(fixture().secrets());
    LockKey key = canary.key("report");
    LockId id = canary.id();
    backend.acquire(key, id, LONG, NEVER);
    store.breakDown();
    Map<String, Runnable> operations = new LinkedHashMap<>();
    operations.put("acquire", () -> backend.acquire(canary.key("other"), canary.id(), LONG, NEVER));
    operations.put("contended acquire", () -> backend.acquire(key, canary.id(), LONG, NEVER));
    operations.put("extend", () -> backend.extend(id, LONG, NEVER));
    operations.put("release", () -> backend.release(id, NEVER));
    operations.put("isLocked", () -> backend.isLocked(key, NEVER));
    operations.put("lookup", () -> backend.lookup(new LockQuery.ById(id), NEVER));
    operations.forEach((name, operation) -> {
      Throwable failure = catchThrowable(operation::run);
      assertThat(failure).as(name).isInstanceOf(LockException.class);
      assertThat(((LockException) failure).code()).as(name).isIn(NO_ANSWER);
      assertThat(((LockException) failure).isRetryable()).as(name).isTrue();
      assertThat(failure.getMessage()).as(name).isNotBlank();
      canary.sniffThrown(name, failure);
    });
    assertThat(canary.sightings())
        .as("where a key, a lock id or a secret was seen")
        .isEmpty();
    store.repair();
  }

  @Test
  void aBackendRecoversWithItsStore() {
    Grant before = take("report");
    store.breakDown();
    assertThatThrownBy(() -> backend.isLocked(before.key(), NEVER))
        .isInstanceOf(LockException.class);
    store.repair();
    awaitAnswers();
    assertHeld(before);
    assertThat(release(before)).isTrue();
  }

  /** Some drivers notice that a connection is gone only by failing once more. */
  private void awaitAnswers() {
    for (int attempt = 0; attempt < 60; attempt++) {
      try {
        backend.isLocked(key("report"), NEVER);
        return;
      } catch (LockException e) {
        assertThat(e.isRetryable()).isTrue();
        pass(Duration.ofMillis(250));
      }
    }
    throw new AssertionError("the store is back, but the backend did not notice");
  }

  @Test
  void nothingIsTakenWhileTheStoreIsAway() {
    store.breakDown();
    assertThatThrownBy(() -> attempt("report")).isInstanceOf(LockException.class);
    store.repair();
    awaitAnswers();
    assertFree("report");
  }
}
