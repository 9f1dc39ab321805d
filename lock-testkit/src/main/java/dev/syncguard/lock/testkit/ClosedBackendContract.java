package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import org.junit.jupiter.api.Test;

/**
 * A backend that was closed says so, on every store in the same way, and nothing happens any more.
 *
 * <p>For backends that open something. One that is its own store, as the one in memory, has nothing to close.
 */
public abstract class ClosedBackendContract extends Contract {

  @Test
  void whateverIsAskedOfAClosedBackendIsRefusedForGood() {
    LockBackend other = open();
    Grant held = take(other, "held", LONG);
    other.close();
    assertClosed(() -> other.acquire(key("report"), newId(), LONG, NEVER));
    assertClosed(() -> other.extend(held.id(), LONG, NEVER));
    assertClosed(() -> other.release(held.id(), NEVER));
    assertClosed(() -> other.release(held.key(), held.id(), NEVER));
    assertClosed(() -> other.isLocked(held.key(), NEVER));
    assertClosed(() -> other.lookup(new LockQuery.ByKey(held.key()), NEVER));
    assertClosed(() -> other.lookup(new LockQuery.ById(held.id()), NEVER));
    assertFree("report");
    assertHeld(held);
  }

  private static void assertClosed(Runnable call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::run);
    assertThat(refusal).isInstanceOf(BackendClosedException.class);
    assertThat(refusal.code()).isEqualTo(LockException.Code.INTERNAL);
    assertThat(refusal.isRetryable()).as("waiting does not mend it").isFalse();
  }
}
