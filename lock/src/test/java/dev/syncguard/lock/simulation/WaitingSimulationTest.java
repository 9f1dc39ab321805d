package dev.syncguard.lock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Waiting, hand-over and auto-extension in thousands of seeded stories.
 *
 * <p>Replay one with {@code mvn -pl lock test -Dtest=WaitingSimulationTest -Dsyncguard.seed=SEED}, run more with {@code
 * -Dsyncguard.seeds=1000000}.
 */
@Tag("slow")
class WaitingSimulationTest {

  private static final long ENOUGH_TO_FIND_A_PLANTED_FAULT = 2_000;

  @Test
  void nothingGoesWrongHoweverTheStepsFallTogether() {
    Long replayed = Long.getLong("syncguard.seed");
    if (replayed != null) {
      new Story(replayed, UnaryOperator.identity(), System.out::println).play();
      return;
    }
    long seeds = Long.getLong("syncguard.seeds", 400);
    long uneventful = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      Story story = play(seed, UnaryOperator.identity());
      uneventful += story.grants() == 0 ? 1 : 0;
    }
    assertThat(uneventful).as("stories in which nobody got a lock").isLessThan(seeds / 10);
  }

  private static Story play(long seed, UnaryOperator<LockBackend> fault) {
    Story story = new Story(seed, fault, line -> {});
    try {
      story.play();
    } catch (Throwable e) {
      throw new AssertionError(
          "Seed " + seed
              + " fails. Replay: mvn -pl lock test -Dtest=WaitingSimulationTest -Dsyncguard.seed="
              + seed,
          e);
    }
    return story;
  }

  @Test
  void theSameSeedTellsTheSameStory() {
    assertThat(traceOf(7)).isEqualTo(traceOf(7)).isNotEqualTo(traceOf(8));
  }

  private static String traceOf(long seed) {
    StringBuilder trace = new StringBuilder();
    new Story(seed, UnaryOperator.identity(), line -> trace.append(line).append('\n')).play();
    return trace.toString();
  }

  @Test
  void aStoreThatGrantsEverybodyIsFound() {
    assertFound(store -> new PlantedFault(store) {
      private long grants;

      @Override
      AcquireResult answer(AcquireResult right) {
        return new AcquireResult.Acquired(new Fence(++grants), Instant.EPOCH, Duration.ofDays(1));
      }
    });
  }

  @Test
  void aStoreThatForgetsAFenceIsFound() {
    assertFound(store -> new PlantedFault(store) {
      @Override
      AcquireResult answer(AcquireResult right) {
        return right instanceof AcquireResult.Acquired acquired
            ? new AcquireResult.Acquired(Fence.FIRST, acquired.expiresAt(), acquired.remaining())
            : right;
      }
    });
  }

  @Test
  void aStoreThatEndsLeasesEarlierThanItSaysIsFound() {
    assertFound(store -> new PlantedFault(store) {
      @Override
      Ttl stored(Ttl ttl) {
        return Ttl.ofMillis(1);
      }

      @Override
      AcquireResult answer(AcquireResult right) {
        return pretendingToBeNew(right);
      }
    });
  }

  @Test
  void aStoreThatDoesNotTellHowOldAGrantIsIsFound() {
    assertFound(store -> new PlantedFault(store) {
      @Override
      AcquireResult answer(AcquireResult right) {
        return pretendingToBeNew(right);
      }
    });
  }

  private static AcquireResult pretendingToBeNew(AcquireResult right) {
    return right instanceof AcquireResult.Acquired acquired
        ? new AcquireResult.Acquired(acquired.fence(), acquired.expiresAt(), Duration.ofDays(1))
        : right;
  }

  @Test
  void aStoreThatHandsOverWhatSomebodyElseHoldsIsFound() {
    assertFound(store -> new PlantedFault(store) {
      @Override
      LockId owner(LockKey key, LockId from) {
        return holder(key).orElse(from);
      }
    });
  }

  private static void assertFound(Function<LockBackend, LockBackend> fault) {
    assertThatThrownBy(() -> {
          for (long seed = 1; seed <= ENOUGH_TO_FIND_A_PLANTED_FAULT; seed++) {
            play(seed, fault::apply);
          }
        })
        .as("a planted fault")
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dsyncguard.seed=");
  }
}
