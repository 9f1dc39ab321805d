package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockQuery;
import org.junit.jupiter.api.Test;

/**
 * Looking at locks changes nothing in the store, dead or alive.
 *
 * <p>For stores whose content a test can read: {@link LockFixture.Inspectable}.
 */
public abstract class ReadOnlyContract extends Contract {

  private static final int ROUNDS = 200;

  @Test
  void lookingChangesNothing() {
    LockFixture.Inspectable store = fixture(LockFixture.Inspectable.class);
    Grant live = take("live");
    Grant released = take("released");
    release(released);
    Grant ended = take("ended", SHORT);
    // Long enough for a backend that cleans although nobody told it to.
    pass(SHORT.duration().plusMillis(Liveness.CLEANUP_AFTER_MS + 20));
    String before = store.content();
    for (int round = 0; round < ROUNDS; round++) {
      look(live);
      look(released);
      look(ended);
      look(new Grant(LockKey.of("never"), newId(), live.fence(), live.expiresAt()));
    }
    assertThat(store.content()).isEqualTo(before);
    assertThat(release(live)).isTrue();
    assertThat(store.content()).as("after a change").isNotEqualTo(before);
  }

  private void look(Grant grant) {
    backend.isLocked(grant.key(), NEVER);
    backend.lookup(new LockQuery.ByKey(grant.key()), NEVER);
    backend.lookup(new LockQuery.ById(grant.id()), NEVER);
    backend.listing().ifPresent(listing -> listing.live(10, NEVER));
    backend.storeCheck().ifPresent(check -> check.examine(NEVER));
  }
}
