package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Instant;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever gives up while Firestore answers gets no answer any more, and nothing is written. */
class FirestoreCancellationIT extends OneFirestore {

  private final WatchedCalls calls = new WatchedCalls();
  private Firestore watched;

  @BeforeAll
  void connectWatched() {
    watched = calls.connect(server.emulatorHost(), 1);
  }

  @AfterAll
  void closeWatched() throws Exception {
    watched.close();
  }

  /** A clock that somebody gives up by when it is first read after an answer. */
  private final class GivingUp implements Time {
    private final Cancellation cancellation = Cancellation.create();
    private final int answersBefore = calls.answers();

    @Override
    public Instant now() {
      if (calls.answers() > answersBefore) {
        cancellation.cancel();
      }
      return Time.system().now();
    }

    @Override
    public long nanos() {
      return Time.system().nanos();
    }

    @Override
    public Signal newSignal() {
      return Time.system().newSignal();
    }
  }

  private void assertGivenUp(BiConsumer<FirestoreLockBackend, Cancellation> call) {
    GivingUp time = new GivingUp();
    FirestoreLockBackend impatient = open(FirestoreLockBackend.builder(watched).time(time));
    calls.calls();
    LockException failure =
        catchThrowableOfType(LockException.class, () -> call.accept(impatient, time.cancellation));
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(LockException.Code.ABORTED);
    assertThat(calls.calls()).hasSize(1).doesNotContain("Commit");
  }

  @Test
  void nothingIsSentForSomebodyWhoHasGivenUpAlready() {
    FirestoreLockBackend counted = open(FirestoreLockBackend.builder(watched));
    Cancellation givenUp = Cancellation.create();
    givenUp.cancel();
    calls.calls();
    LockException failure = catchThrowableOfType(
        LockException.class, () -> counted.acquire(key("free"), newId(), LONG, givenUp));
    assertThat(failure.code()).isEqualTo(LockException.Code.ABORTED);
    assertThat(calls.calls()).isEmpty();
  }

  @Test
  void nothingIsWrittenAfterThat() {
    assertGivenUp((on, giveUp) -> on.acquire(key("free"), newId(), LONG, giveUp));
    assertThat(read(lockDocument("free")).exists()).isFalse();
    LockId held = take("held");
    assertGivenUp((on, giveUp) -> on.extend(held, LONG, giveUp));
    assertGivenUp((on, giveUp) -> on.release(held, giveUp));
    assertThat(release(held)).isTrue();
  }

  @Test
  void nothingIsAnsweredAfterThat() {
    LockId held = take("held");
    assertGivenUp((on, giveUp) -> on.acquire(key("held"), newId(), LONG, giveUp));
    assertGivenUp((on, giveUp) -> on.extend(newId(), LONG, giveUp));
    assertGivenUp((on, giveUp) -> on.release(newId(), giveUp));
    assertGivenUp((on, giveUp) -> on.isLocked(key("held"), giveUp));
    assertGivenUp((on, giveUp) -> on.lookup(new LockQuery.ByKey(key("held")), giveUp));
    assertGivenUp((on, giveUp) -> on.lookup(new LockQuery.ById(held), giveUp));
  }
}
