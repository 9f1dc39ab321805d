package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.SHORT;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.List;

/** What the number of a grant promises. */
final class FenceQuestions {

  private static final int LOOKS = 5;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(150);

  private FenceQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("The first fence of a key is 1, and only grants use one up", store -> {
          Held first = store.take(store.key());
          expect(first.fence() == 1, "The first fence was " + first.fence());
          expect(store.isRefused(store.key()), "A key that is held was granted once more");
          expect(
              store.backend().release(first.id(), NEVER) instanceof ReleaseResult.Released,
              "A holder could not release");
          long second = store.take(store.key()).fence();
          expect(second == 2, "The second grant had fence " + second);
        }),
        new Question("Each key has fences of its own", store -> {
          Held one = store.take(store.key("one"));
          Held other = store.take(store.key("other"));
          expect(
              one.fence() == 1 && other.fence() == 1,
              "Two new keys began with fences " + one.fence() + " and " + other.fence());
        }),
        new Question("Fences go on after a lease was cleaned away", store -> {
          Held ended = store.take(store.key(), SHORT);
          store.pauseUntil(ended.certainlyOverFrom() + Liveness.CLEANUP_AFTER_MS * 1_000_000);
          for (int look = 0; look < LOOKS; look++) {
            expect(!store.isLocked(store.key()), "A lease that had ended kept its key locked");
            store.pause(BETWEEN_LOOKS);
          }
          long next = store.take(store.key()).fence();
          expect(next == 2, "The grant after the one that ended had fence " + next);
        }));
  }
}
