package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call whose reply was lost can be repeated: it finds what the first one did, and does nothing twice. */
public abstract class IdempotenceContract extends Contract {

  @Test
  void acquiringAgainUnderTheSameIdGivesTheSameGrant() {
    Grant grant = take("report");
    pass(Duration.ofMillis(5));
    assertSameLease(grant.fence(), grant.expiresAt(), again(grant, LONG));
    assertSameLease(
        grant.fence(), grant.expiresAt(), open().acquire(grant.key(), grant.id(), LONG, NEVER));
    assertHeld(grant);
  }

  @Test
  void acquiringAgainDoesNotMoveTheEnd() {
    Grant grant = take("report");
    assertSameLease(grant.fence(), grant.expiresAt(), again(grant, SHORT));
    assertThat(
            backend.lookup(new LockQuery.ById(grant.id()), NEVER).orElseThrow().expiresAt())
        .isEqualTo(grant.expiresAt());
  }

  @Test
  void aGrantTellsHowMuchOfItIsLeft() {
    LockId id = newId();
    assertThat(granted(backend.acquire(key("report"), id, LONG, NEVER)).remaining())
        .isEqualTo(LONG.duration());
    pass(Duration.ofMillis(50));
    AcquireResult.Acquired again = granted(backend.acquire(key("report"), id, LONG, NEVER));
    // Stores count whole milliseconds, and a pause may be a little short of what was asked for.
    assertThat(again.remaining()).isLessThan(LONG.duration().minusMillis(45));
    Instant now = backend.lookup(new LockQuery.ById(id), NEVER).orElseThrow().observedAt();
    assertThat(again.remaining()).isGreaterThanOrEqualTo(Duration.between(now, again.expiresAt()));
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
      assertThat(answers.stream().map(answer -> granted(answer).fence()).distinct())
          .hasSize(1);
      assertThat(answers.stream().map(answer -> granted(answer).expiresAt()).distinct())
          .hasSize(1);
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
}
