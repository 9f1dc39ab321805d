package dev.syncguard.lock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Elections in hundreds of seeded stories of processes that are killed, paused, cut off, closed or step down.
 *
 * <p>Replay one with {@code mvn -pl lock test -Dtest=ElectionSimulationTest -Dsyncguard.seed=SEED}, run more with {@code
 * -Dsyncguard.seeds=100000}.
 */
@Tag("slow")
class ElectionSimulationTest {

  @Test
  void thereAreNeverTwoLeadersAndInTheEndThereIsOne() {
    Long replayed = Long.getLong("syncguard.seed");
    if (replayed != null) {
      new ElectionStory(replayed, UnaryOperator.identity(), System.out::println).play();
      return;
    }
    int terms = 0;
    long seeds = Long.getLong("syncguard.seeds", 200);
    for (long seed = 1; seed <= seeds; seed++) {
      terms += play(seed, UnaryOperator.identity());
    }
    assertThat(terms).as("terms that were led").isGreaterThan((int) (3 * seeds));
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
  void aStoreThatEndsLeasesEarlierThanItSaysIsFound() {
    assertFound(store -> new PlantedFault(store) {
      @Override
      Ttl stored(Ttl ttl) {
        return Ttl.ofMillis(1);
      }

      @Override
      AcquireResult answer(AcquireResult right) {
        return right instanceof AcquireResult.Acquired acquired
            ? new AcquireResult.Acquired(acquired.fence(), acquired.expiresAt(), Duration.ofDays(1))
            : right;
      }
    });
  }

  private static void assertFound(UnaryOperator<LockBackend> fault) {
    assertThatThrownBy(() -> {
          for (long seed = 1; seed <= 200; seed++) {
            play(seed, fault);
          }
        })
        .as("a planted fault")
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dsyncguard.seed=");
  }

  private static int play(long seed, UnaryOperator<LockBackend> fault) {
    ElectionStory story = new ElectionStory(seed, fault, line -> {});
    try {
      story.play();
    } catch (Throwable e) {
      throw new AssertionError(
          "Seed " + seed
              + " fails. Replay: mvn -pl lock test -Dtest=ElectionSimulationTest -Dsyncguard.seed="
              + seed,
          e);
    }
    return story.terms();
  }
}
