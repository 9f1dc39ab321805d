package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.SHORT;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.Absence;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.List;

/** What the id of a lease is good for, and until when. */
final class OwnerQuestions {

  private static final Duration A_WHILE = Duration.ofMillis(300);
  private static final Duration UNIT = Duration.ofMillis(2);

  private OwnerQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("An attempt that is repeated finds its own lease", store -> {
          Held lease = store.take(store.key());
          store.pause(A_WHILE);
          long sent = store.nanos();
          expect(
              store.backend().acquire(store.key(), lease.id(), LONG, NEVER)
                      instanceof AcquireResult.Acquired again
                  && again.fence().equals(lease.grant().fence())
                  && again.expiresAt().equals(lease.grant().expiresAt())
                  && again.remaining().minus(UNIT).toNanos()
                      <= LONG.duration().toNanos() - (sent - lease.at()),
              "It was refused, or told of another fence, another end, or more time than was left");
        }),
        new Question("The id of a lease that has ended begins anew", store -> {
          Held ended = store.take(store.key(), SHORT);
          store.pauseUntil(ended.certainlyOverFrom());
          Held anew = store.take(store.key(), ended.id(), LONG);
          expect(
              anew.fence() == ended.fence() + 1,
              "A lease with fence " + ended.fence() + " was over, and the next had fence "
                  + anew.fence());
        }),
        new Question("Only the holder's id works, and works once", store -> {
          Held first = store.take(store.key());
          assertUseless(store, store.newId(), "A stranger's id");
          expect(store.isLocked(store.key()), "A stranger ended a lease");
          expect(
              store.backend().release(first.id(), NEVER) instanceof ReleaseResult.Released,
              "A holder could not release");
          assertUseless(store, first.id(), "The id of a lease that was released");
          Held next = store.take(store.key());
          assertUseless(store, first.id(), "The id of the holder before");
          expect(store.look(next.id()).isPresent(), "A holder lost its lease to the one before it");
        }),
        new Question("A lease that ended by itself is said to have ended", store -> {
          if (!store.promises().tellsEnded()) {
            throw NotDecided.notOffered("the store does not promise to know");
          }
          Held ended = store.take(store.key(), SHORT);
          store.pauseUntil(ended.certainlyOverFrom());
          expect(!store.isLocked(store.key()), "A lease that had ended kept its key locked");
          store.pause(UNIT.multipliedBy(50));
          ReleaseResult result = store.backend().release(ended.id(), NEVER);
          // Later it may have been cleaned away.
          store.notLaterThan(ended.certainlyLiveUntil() + Duration.ofSeconds(1).toNanos());
          expect(
              result.equals(new ReleaseResult.Absent(Absence.EXPIRED)),
              "Of a lease that had just ended it was said: " + result);
        }));
  }

  private static void assertUseless(Subject store, LockId id, String whose) {
    expect(
        store.backend().extend(id, LONG, NEVER) instanceof ExtendResult.Absent,
        whose + " could extend");
    expect(store.look(id).isEmpty(), whose + " was found by a look-up");
    expect(
        store.backend().release(id, NEVER) instanceof ReleaseResult.Absent,
        whose + " could release");
  }
}
