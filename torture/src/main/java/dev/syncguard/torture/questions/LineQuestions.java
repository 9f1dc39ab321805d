package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine.Place;
import java.time.Duration;
import java.util.List;

/** What a store promises to those who stand in line for a key. */
final class LineQuestions {

  private static final int MOST_ROUNDS = 60;
  private static final int RELEASES = 3;
  private static final Duration WAKE_UP = Duration.ofSeconds(10);

  private LineQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("Nobody waits for whoever has left the line", store -> {
          Held holder = store.take(store.key());
          Place leaving = refused(store, store.backend());
          leaving.close();
          release(store, holder);
          Held next = store.take(store.key());
          expect(next.fence() == 2, "The next grant had fence " + next.fence());
        }),
        new Question("A key passes by a waiter that never comes back", store -> {
          Held holder = store.take(store.key());
          // A process that dies closes no place; its connections at most.
          LockBackend dying = store.another();
          Place gone = refused(store, dying);
          dying.close();
          release(store, holder);
          for (int round = 0; round < MOST_ROUNDS; round++) {
            if (!store.isRefused(store.key())) {
              return;
            }
            store.pause(gone.patience());
          }
          throw new WrongAnswer("It stayed reserved for more than " + MOST_ROUNDS
              + " times as long as a waiter may be silent");
        }),
        new Question("Those in line are served in the order in which they came", store -> {
          if (!store.promises().servesInOrder()) {
            throw NotDecided.notOffered("the store promises no order");
          }
          Held holder = store.take(store.key());
          long joined = store.nanos();
          Place first = refused(store, store.backend());
          Place second = refused(store, store.backend());
          release(store, holder);
          boolean overtaken = isGranted(second);
          // Whoever does not look again loses its turn.
          store.notLaterThan(joined + first.patience().toNanos());
          expect(!overtaken, "One that came later was served first");
          expect(isGranted(first), "The first was not served when the key was free");
        }),
        new Question("A release wakes whoever is next", store -> {
          for (int round = 0; round < RELEASES; round++) {
            LockKey key = store.key("-" + round);
            Held holder = store.take(key);
            Time.Signal woken = store.time().newSignal();
            Place waiting = join(store, store.backend(), key, store.newId(), woken::fire);
            expect(!isGranted(waiting), "A key that is held was granted once more");
            release(store, holder);
            if (isFired(woken)) {
              return;
            }
          }
          // One may be lost; not all of them.
          throw new WrongAnswer("Nobody was woken in " + RELEASES + " releases");
        }),
        new Question("A lease is handed over in one step, also if it is asked for twice", store -> {
          Held holder = store.take(store.key());
          LockId id = store.newId();
          Place place = join(store, store.backend(), store.key(), id, () -> {});
          AcquireResult first = place.takeOver(holder.id(), LONG);
          expect(
              first instanceof AcquireResult.Acquired grant
                  && grant.fence().value() == holder.fence() + 1,
              "The next fence was not granted");
          expect(
              place.takeOver(holder.id(), LONG) instanceof AcquireResult.Acquired again
                  && again.fence().value() == holder.fence() + 1,
              "Asked again, it did not find the same grant");
          place.close();
          expect(store.look(id).isPresent(), "Who left the line had no lease any more");
          expect(
              store.backend().release(holder.id(), NEVER) instanceof ReleaseResult.Absent,
              "Who handed it over could still release");
        }),
        new Question("Only a live lease can be handed over", store -> {
          Held other = store.take(store.key("other"));
          Held holder = store.take(store.key());
          for (LockId from : List.of(store.newId(), other.id())) {
            Place place = join(store, store.backend(), store.key(), store.newId(), () -> {});
            expect(
                place.takeOver(from, LONG) instanceof AcquireResult.Contended,
                "A key was taken over from somebody who did not hold it");
          }
          expect(store.look(holder.id()).isPresent(), "A holder lost its lease");
        }),
        new Question("Those in line are counted, if the store counts them", store -> {
          Held holder = store.take(store.key());
          Place unused = refused(store, store.backend());
          int counted = store.shown(holder).waiting().orElse(1);
          expect(counted == 1, "One waited, and " + counted + " were counted");
        }));
  }

  private static Place refused(Subject store, LockBackend at) {
    Place place = join(store, at, store.key(), store.newId(), () -> {});
    expect(!isGranted(place), "A key that is held was granted once more");
    return place;
  }

  private static Place join(
      Subject store, LockBackend at, LockKey key, LockId id, Runnable wakeUp) {
    return store.opened(at.waitingLine()
        .orElseThrow(() -> NotDecided.notOffered("the store has no line of waiters"))
        .join(key, id, wakeUp));
  }

  private static boolean isGranted(Place place) {
    return place.attempt(LONG, NEVER) instanceof AcquireResult.Acquired;
  }

  private static void release(Subject store, Held holder) {
    expect(
        store.backend().release(holder.id(), NEVER) instanceof ReleaseResult.Released,
        "A holder could not release");
  }

  private static boolean isFired(Time.Signal signal) {
    try {
      return signal.await(WAKE_UP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw NotDecided.tooSlow();
    }
  }
}
