package dev.syncguard.lock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Waiting, hand-off and auto-extension in thousands of seeded stories.
 *
 * <p>Replay one with {@code mvn -pl lock test -Dtest=WaitingSimulationTest -Dsyncguard.seed=SEED}, run more with {@code
 * -Dsyncguard.seeds=1000000}.
 */
@Tag("slow")
class WaitingSimulationTest {

  private static final long ENOUGH_TO_FIND_A_PLANTED_FAULT = 2_000;
  private static final long STORIES_FOR_THE_MODEL = 20;

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
      Story story = play(seed);
      uneventful += story.grants() == 0 ? 1 : 0;
    }
    assertThat(uneventful).as("stories in which nobody got a lock").isLessThan(seeds / 10);
  }

  private static Story play(long seed) {
    Story story = new Story(seed, UnaryOperator.identity(), line -> {});
    play(seed, story);
    return story;
  }

  private static void play(long seed, Story story) {
    try {
      story.play();
    } catch (Throwable e) {
      throw new AssertionError(
          "Seed " + seed
              + " fails. Replay: mvn -pl lock test -Dtest=WaitingSimulationTest -Dsyncguard.seed="
              + seed,
          e);
    }
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

  /** The judge of these files is {@code models/check}. */
  @Test
  void whatHappenedAtTheStoreIsWrittenDownForTheModel() throws IOException {
    for (long seed = 1; seed <= STORIES_FOR_THE_MODEL; seed++) {
      tellTheModel("allowed", "seed-" + seed, play(seed));
    }
  }

  private static void tellTheModel(String verdict, String name, Story story) throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "model-traces", verdict));
    for (Map.Entry<LockKey, StoreTrace> trace : story.storeTraces().entrySet()) {
      Path file = directory.resolve(name + "-" + trace.getKey().value() + ".pml");
      Files.writeString(file, trace.getValue().promela());
    }
  }

  @Test
  void aStoreThatGrantsEverybodyIsFound() throws IOException {
    assertFound("everybody-is-granted", store -> new PlantedFault(store) {
      private long grants;

      @Override
      AcquireResult answer(AcquireResult right) {
        return new AcquireResult.Acquired(new Fence(++grants), Instant.EPOCH, Duration.ofDays(1));
      }
    });
  }

  @Test
  void aStoreThatForgetsAFenceIsFound() throws IOException {
    assertFound("fences-repeat", store -> new PlantedFault(store) {
      @Override
      AcquireResult answer(AcquireResult right) {
        return right instanceof AcquireResult.Acquired acquired
            ? new AcquireResult.Acquired(Fence.FIRST, acquired.expiresAt(), acquired.remaining())
            : right;
      }
    });
  }

  @Test
  void aStoreThatEndsLeasesEarlierThanItSaysIsFound() throws IOException {
    assertFound("leases-end-early", store -> new PlantedFault(store) {
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
  void aStoreThatDoesNotTellHowOldAGrantIsIsFound() throws IOException {
    assertFound("age-is-hidden", store -> new PlantedFault(store) {
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
  void aStoreThatHandsOverWhatSomebodyElseHoldsIsFound() throws IOException {
    assertFound("anybody-is-replaced", store -> new PlantedFault(store) {
      @Override
      LockId owner(LockKey key, LockId from) {
        return holder(key).orElse(from);
      }
    });
  }

  /** Plays until the fault shows, and leaves what happened at the store for the model, which must not allow it either. */
  private static void assertFound(String fault, UnaryOperator<LockBackend> faulty)
      throws IOException {
    for (long seed = 1; seed <= ENOUGH_TO_FIND_A_PLANTED_FAULT; seed++) {
      Story story = new Story(seed, faulty, line -> {});
      try {
        play(seed, story);
      } catch (AssertionError e) {
        assertThat(e).hasMessageContaining("-Dsyncguard.seed=" + seed);
        tellTheModel("refused", fault, story);
        return;
      }
    }
    fail("No story shows " + fault);
  }
}
