package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.SHORT;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** When a lease begins and ends, and what moves its end. */
final class LeaseQuestions {

  private static final Duration BETWEEN_LOOKS = Duration.ofNanos(200_000);
  private static final long BEFORE_THE_END = Duration.ofMillis(20).toNanos();
  private static final long IN_THE_TOLERANCE = Duration.ofMillis(600).toNanos();
  private static final Duration UNIT = Duration.ofMillis(2);

  private LeaseQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("The end of a lease moves for nobody but its holder", store -> {
          Held lease = store.take(store.key());
          Instant end = store.shown(lease).expiresAt();
          expect(
              end.equals(lease.grant().expiresAt()), "A look-up told another end than the grant");
          expect(store.isRefused(store.key()), "A key that is held was granted once more");
          expect(store.isLocked(store.key()), "A key that is held was called free");
          expect(
              store.shown(lease).expiresAt().equals(end),
              "The end moved because somebody was refused, or looked");
        }),
        new Question("An extension counts from when it is asked for", store -> {
          Held lease = store.take(store.key());
          for (Ttl ttl : List.of(Ttl.ofMillis(17_000), Ttl.ofMillis(71_000))) {
            extend(store, lease, ttl);
          }
        }),
        new Question("A lease counts for a second more than its ttl", store -> {
          Held lease = store.take(store.key(), SHORT);
          store.pauseUntil(lease.ttlPassed() + IN_THE_TOLERANCE);
          boolean locked = store.isLocked(store.key());
          store.notLaterThan(lease.certainlyLiveUntil());
          expect(locked, "The key was free before");
        }),
        new Question("A lease can be extended in the second after its ttl", store -> {
          Held lease = store.take(store.key(), SHORT);
          store.pauseUntil(lease.ttlPassed() + IN_THE_TOLERANCE);
          ExtendResult result = store.backend().extend(lease.id(), LONG, NEVER);
          store.notLaterThan(lease.certainlyLiveUntil());
          expect(result instanceof ExtendResult.Extended, "It could not");
        }),
        new Question("What the store shows is live by the clock that it tells", store -> {
          Held lease = store.take(store.key(), SHORT);
          store.pauseUntil(lease.certainlyLiveUntil() - BEFORE_THE_END);
          while (true) {
            long sent = store.nanos();
            Optional<LockInfoDebug> shown = store.look(store.key());
            if (shown.isEmpty()) {
              return;
            }
            LockInfoDebug lock = shown.get();
            expect(
                Duration.between(lock.expiresAt(), lock.observedAt()).toMillis()
                    < Liveness.TIME_TOLERANCE_MS,
                "It showed a lease at " + lock.observedAt() + " that had ended at "
                    + lock.expiresAt());
            expect(sent < lease.certainlyOverFrom(), "It showed a lease that was over");
            store.pause(BETWEEN_LOOKS);
          }
        }),
        new Question("Nothing brings a lease back that is over", store -> {
          Held lease = store.take(store.key(), SHORT);
          store.pauseUntil(lease.certainlyOverFrom());
          expect(
              store.backend().extend(lease.id(), LONG, NEVER) instanceof ExtendResult.Absent,
              "It could be extended");
          expect(!store.isLocked(store.key()), "Its key was locked");
        }),
        new Question("A lease that is over is shown nowhere", store -> {
          Held lease = store.take(store.key(), SHORT);
          expect(store.look(lease.id()).isPresent(), "A live lease was not found by its id");
          store.pauseUntil(lease.certainlyOverFrom());
          expect(store.look(store.key()).isEmpty(), "A look-up by key found it");
          expect(store.look(lease.id()).isEmpty(), "A look-up by id found it");
          expect(Listed.find(store, lease).isEmpty(), "The list had it");
        }));
  }

  private static void extend(Subject store, Held lease, Ttl ttl) {
    long sent = store.nanos();
    ExtendResult result = store.backend().extend(lease.id(), ttl, NEVER);
    LockInfoDebug shown = store.shown(lease);
    Duration passed = Duration.ofNanos(store.nanos() - sent);
    expect(
        result instanceof ExtendResult.Extended extended
            && extended.expiresAt().equals(shown.expiresAt()),
        "A holder could not extend, or was told another end than a look-up told afterwards");
    Duration left = Duration.between(shown.observedAt(), shown.expiresAt());
    expect(
        left.compareTo(ttl.duration()) <= 0
            && left.plus(passed).plus(UNIT).compareTo(ttl.duration()) >= 0,
        "After an extension by " + ttl.millis() + " ms " + left.toMillis() + " ms were left");
  }
}
