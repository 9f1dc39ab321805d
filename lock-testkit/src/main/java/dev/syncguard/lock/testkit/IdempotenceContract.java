package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call whose reply was lost can be repeated: it finds what the first one did, and does nothing twice. */
public abstract class IdempotenceContract extends Contract {

  @Test
  void acquiringAgainUnderTheSameIdGivesTheSameGrant() {
    Grant grant = take("report");
    pass(Duration.ofMillis(5));
    assertThat(again(grant, LONG)).isEqualTo(answer(grant));
    assertThat(open().acquire(grant.key(), grant.id(), LONG, NEVER)).isEqualTo(answer(grant));
    assertHeld(grant);
  }

  @Test
  void acquiringAgainDoesNotMoveTheEnd() {
    Grant grant = take("report");
    assertThat(again(grant, SHORT)).isEqualTo(answer(grant));
    assertThat(
            backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow().expiresAt())
        .isEqualTo(grant.expiresAt());
  }

  @Test
  void acquiringAgainUsesUpNoFence() {
    Grant grant = take("report");
    again(grant, LONG);
    again(grant, LONG);
    release(grant);
    assertThat(take("report").fence()).isEqualTo(grant.fence().next());
  }

  @Test
  void acquiringAgainAfterAnExtensionTellsTheNewEnd() {
    Grant grant = take("report");
    extend(grant, Ttl.ofMillis(77_777));
    AcquireResult again = again(grant, LONG);
    assertThat(again).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(((AcquireResult.Acquired) again).fence()).isEqualTo(grant.fence());
    assertThat(((AcquireResult.Acquired) again).expiresAt())
        .isEqualTo(
            backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow().expiresAt());
  }

  @Test
  void acquiringAgainAfterTheEndDoesNotBringTheOldGrantBack() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    AcquireResult again = again(grant, LONG);
    assertThat(again).isInstanceOf(AcquireResult.Acquired.class);
    assertThat(((AcquireResult.Acquired) again).fence()).isEqualTo(grant.fence().next());
  }

  @Test
  void acquiringAgainWhenSomebodyElseHasTheKeyIsRefused() {
    Grant old = take("report");
    release(old);
    Grant next = take("report");
    assertThat(again(old, LONG)).isInstanceOf(AcquireResult.Contended.class);
    assertHeld(next);
  }

  @Test
  void theSameAttemptFromManyThreadsIsOneGrant() throws Exception {
    for (int round = 0; round < 10; round++) {
      String key = "report " + round;
      var id = newId();
      List<AcquireResult> answers =
          Together.run(6, i -> backend.acquire(key(key), id, LONG, NEVER));
      assertThat(answers).hasOnlyElementsOfType(AcquireResult.Acquired.class);
      assertThat(answers.stream().distinct()).hasSize(1);
      assertThat(release(id)).isTrue();
      assertThat(release(id)).isFalse();
    }
  }

  @Test
  void aReplayedReleaseNeverRemovesTheNextLock() {
    for (int round = 0; round < 10; round++) {
      Grant old = take("report");
      assertThat(release(old)).isTrue();
      Grant next = take("report");
      assertThat(release(old)).isFalse();
      assertHeld(next);
      assertThat(release(next)).isTrue();
    }
  }

  @Test
  void aRepeatedExtensionSetsTheEndAgain() {
    Grant grant = take("report");
    assertThat(extend(grant, LONG)).isTrue();
    assertThat(extend(grant, LONG)).isTrue();
    assertHeld(grant);
  }

  private AcquireResult again(Grant grant, Ttl ttl) {
    return backend.acquire(grant.key(), grant.id(), ttl, NEVER);
  }

  private static AcquireResult answer(Grant grant) {
    return new AcquireResult.Acquired(grant.fence(), grant.expiresAt());
  }
}
