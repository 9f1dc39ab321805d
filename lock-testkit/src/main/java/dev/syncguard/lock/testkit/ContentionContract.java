package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever comes second is refused, and only second comers are. */
public abstract class ContentionContract extends Contract {

  private static final int CROWD = 8;

  @Test
  @Tag("check-7")
  void aSecondAttemptIsRefusedAndTheFirstHolderKeepsTheKey() {
    Grant first = take("report");
    assertThat(attempt("report")).isInstanceOf(AcquireResult.Contended.class);
    assertHeld(first);
  }

  @Test
  void aRefusedAttemptLeavesNoTrace() {
    Grant first = take("report");
    LockId refused = newId();
    assertThat(backend.acquire(first.key(), refused, LONG, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(backend.lookup(new LockQuery.ById(refused), NEVER)).isEmpty();
    assertThat(release(refused)).isFalse();
    assertHeld(first);
    assertThat(backend
            .lookup(new LockQuery.ByKey(first.key()), NEVER)
            .orElseThrow()
            .expiresAt())
        .isEqualTo(first.expiresAt());
  }

  @Test
  @Tag("check-8")
  void differentKeysProceedInParallel() throws Exception {
    List<Grant> grants = Together.run(3, i -> take("key " + i));
    grants.forEach(this::assertHeld);
    assertThat(Together.run(3, i -> release(grants.get(i)))).containsOnly(true);
  }

  @Test
  @Tag("check-9")
  void aReleasedKeyIsFreeAtOnce() {
    Grant first = take("report");
    assertThat(attempt("report")).isInstanceOf(AcquireResult.Contended.class);
    assertThat(release(first)).isTrue();
    assertThat(attempt("report")).isInstanceOf(AcquireResult.Acquired.class);
  }

  @Test
  @Tag("check-10")
  void ofThreeWhoWereRefusedOneSucceedsWhenTheLeaseHasEnded() throws Exception {
    take("report", SHORT);
    assertThat(Together.run(3, i -> attempt("report")))
        .hasOnlyElementsOfType(AcquireResult.Contended.class);
    passBeyond(SHORT);
    assertThat(Together.run(3, i -> attempt("report")))
        .filteredOn(AcquireResult.Acquired.class::isInstance)
        .hasSize(1);
  }

  @Test
  void ofManyAttemptsAtTheSameMomentExactlyOneIsGranted() throws Exception {
    List<LockBackend> backends = List.of(backend, open(), open());
    for (int round = 0; round < 20; round++) {
      String key = "contended " + round;
      List<AcquireResult> results = Together.run(
          CROWD, i -> backends.get(i % backends.size()).acquire(key(key), newId(), LONG, NEVER));
      assertThat(results)
          .as("round " + round)
          .filteredOn(AcquireResult.Acquired.class::isInstance)
          .hasSize(1);
    }
  }

  @Test
  @Tag("check-11")
  void underABurstSomeWinSomeAreRefusedAndNothingStaysLocked() throws Exception {
    Grant held = take("report");
    AtomicInteger refused = new AtomicInteger();
    assertThat(attempt("report")).isInstanceOf(AcquireResult.Contended.class);
    List<Integer> wins = Together.run(CROWD, i -> {
      if (i == 0) {
        release(held);
      }
      return winsOutOf(10, refused);
    });
    // Somebody must come through at last: the key is free as soon as the others are done.
    int last = winsOutOf(1, refused);
    assertThat(wins.stream().mapToInt(Integer::intValue).sum() + last).isPositive();
    assertThat(refused.get() + wins.stream().mapToInt(Integer::intValue).sum() + last)
        .isEqualTo(CROWD * 10 + 1);
    assertFree("report");
  }

  private int winsOutOf(int attempts, AtomicInteger refused) {
    int wins = 0;
    for (int i = 0; i < attempts; i++) {
      LockId id = newId();
      if (backend.acquire(key("report"), id, LONG, NEVER) instanceof AcquireResult.Acquired) {
        wins++;
        assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
      } else {
        refused.incrementAndGet();
      }
    }
    return wins;
  }

  @Test
  void aLongQueueOfAttemptsNeverMovesTheExpiryOfTheHolder() {
    Grant holder = take("report");
    for (int i = 0; i < 20; i++) {
      attempt("report");
    }
    assertThat(backend
            .lookup(new LockQuery.ByKey(holder.key()), NEVER)
            .orElseThrow()
            .expiresAt())
        .isEqualTo(holder.expiresAt());
  }
}
