package dev.syncguard.firestore.server.webchannel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.WriteResponse;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.webchannel.Session.Binding;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What happens to sessions when time passes, and when there are too many or they keep too much. */
class SessionTimesTest {
  private static final Binding BINDING = new Binding("/Listen/channel", "d", "");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final long BUDGET = 4 << 20;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000); // it will overflow
  private final AtomicBoolean crowded = new AtomicBoolean();
  private final Sessions sessions =
      new Sessions(10, BUDGET, crowded::get, new SecureRandom(), nanos::get);

  @Test
  void silenceIsBrokenEveryThirtySecondsAndAnAnswerEndsAfterAMinute() {
    Session session = sessions.open(BINDING);
    Poll poll = poll(session, false);
    assertThat(poll.frames).containsExactly("14\n[[1,[\"noop\"]]]");
    pass(29);
    assertThat(poll.frames).hasSize(1);
    pass(1);
    assertThat(poll.frames).hasSize(2);
    pass(30);
    assertThat(poll.ended).isTrue();
    assertThat(sessions.count()).isEqualTo(1);
  }

  @Test
  void aLongPollHangsForAsLongAsItAskedToAndThenSaysSomething() {
    Poll poll = new Poll(sessions.open(BINDING));
    poll.session.open(poll, true, Duration.ofSeconds(5), 0);
    pass(4);
    assertThat(poll.frames).isEmpty();
    pass(1);
    assertThat(poll.frames).hasSize(1);
    assertThat(poll.ended).isTrue();
  }

  @Test
  void aSessionThatNobodyListensToIsForgotten() {
    FakeStream never = start(sessions.open(BINDING));
    pass(44);
    assertThat(never.closed).isFalse();
    pass(1);
    assertThat(never.closed).isTrue();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void aSessionWhoseClientHasGoneIsForgottenWithAllThatItKept() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    Poll poll = poll(session, false);
    session.send(large());
    assertThat(sessions.usedBytes()).isPositive();
    session.closed(poll);
    pass(74);
    assertThat(stream.closed).isFalse();
    pass(1);
    assertThat(stream.closed).isTrue();
    assertThat(sessions.count()).isZero();
    assertThat(sessions.usedBytes()).isZero();
  }

  @Test
  void aClientThatComesBackInTimeKeepsItsSession() {
    Session session = sessions.open(BINDING);
    for (int i = 0; i < 10; i++) {
      Poll poll = poll(session, false);
      session.closed(poll);
      pass(70);
    }
    assertThat(sessions.count()).isEqualTo(1);
  }

  @Test
  void theCloseOfAnOlderAnswerDoesNotDetachTheNewOne() {
    Session session = sessions.open(BINDING);
    Poll first = poll(session, false);
    Poll second = poll(session, false);
    assertThat(first.ended).isTrue();
    session.closed(first);
    session.taken(first);
    session.send(small());
    assertThat(second.frames).hasSize(2);
  }

  @Test
  void aClientThatTakesNothingIsForgottenAfterAMinute() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    Poll stuck = new Poll(session);
    stuck.taking = false;
    session.open(stuck, false, LONG, 0);
    pass(59);
    assertThat(stream.closed).isFalse();
    pass(1);
    assertThat(stream.closed).isTrue();
    assertThat(stuck.ended).isTrue();
  }

  @Test
  void aStreamPausesWhileTooMuchIsUnderWayAndGoesOnAfterwards() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    long told = 0;
    while (session.isReady()) {
      session.send(large());
      told++;
    }
    assertThat(sessions.usedBytes()).isLessThan(2 << 20);
    int before = stream.readied;
    Poll poll = poll(session, false);
    assertThat(poll.ended)
        .as("an answer that carries much ends, so that it is acknowledged")
        .isTrue();
    assertThat(session.isReady()).isFalse();
    Poll next = new Poll(session);
    session.open(next, false, LONG, told);
    assertThat(stream.readied).isGreaterThan(before);
    while (!session.isReady()) {
      next = new Poll(session);
      session.open(next, false, LONG, told);
    }
    assertThat(sessions.usedBytes()).isLessThan(1 << 20);
  }

  @Test
  void aRequestIsAnsweredWhenTheStreamHasTakenWhatItBrought() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    CompletableFuture<String> one = session.receive(0, Map.of(0L, "a"));
    CompletableFuture<String> two = session.receive(0, Map.of(1L, "b", 2L, "c"));
    assertThat(one).isDone();
    assertThat(two).isNotDone();
    session.requestNext();
    assertThat(two).isNotDone();
    session.requestNext();
    assertThat(two).isDone();
    assertThat(stream.requests).containsExactly("a", "b", "c");
  }

  @Test
  void aMessageThatComesAgainIsTakenOnce() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    assertThat(session.receive(0, Map.of(0L, "a"))).isDone();
    session.requestNext();
    assertThat(session.receive(0, Map.of(0L, "a"))).isDone();
    assertThat(session.receive(0, Map.of(0L, "a", 1L, "b"))).isDone();
    session.requestNext();
    assertThat(session.receive(0, Map.of(1L, "b"))).isDone();
    assertThat(stream.requests).containsExactly("a", "b");
  }

  @Test
  void whatIsSentBehindAFailureIsAnsweredAndIgnored() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    assertThat(session.receive(0, Map.of(0L, "a"))).isDone();
    CompletableFuture<String> behind = session.receive(0, Map.of(1L, "b"));
    session.fail(FirestoreServerException.invalid("no"));
    assertThat(behind).isDone();
    session.requestNext();
    assertThat(session.receive(0, Map.of(2L, "c"))).isDone();
    assertThat(stream.requests).containsExactly("a");
    Poll poll = poll(session, false);
    assertThat(poll.frames.get(0)).contains("INVALID_ARGUMENT");
    pass(30);
    assertThat(sessions.count()).isZero();
  }

  @Test
  void oneMoreSessionCostsTheOneThatWasLeftLongest() {
    List<Session> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Session session = sessions.open(BINDING);
      all.add(session);
      if (i != 3 && i != 5) {
        poll(session, false);
      }
      pass(1);
    }
    sessions.open(BINDING);
    assertThat(sessions.find(all.get(3).id(), BINDING)).isEmpty();
    assertThat(sessions.find(all.get(5).id(), BINDING)).isPresent();
    assertThat(sessions.count()).isEqualTo(10);
  }

  @Test
  void aNewSessionCostsThoseThatWereLeftWhileListenersKnowTooMuch() {
    Session left = sessions.open(BINDING);
    Session used = sessions.open(BINDING);
    poll(used, false);
    crowded.set(true);
    Session next = sessions.open(BINDING);
    assertThat(sessions.find(left.id(), BINDING)).isEmpty();
    assertThat(sessions.find(used.id(), BINDING)).isPresent();
    assertThat(sessions.find(next.id(), BINDING)).isPresent();
  }

  @Test
  void whenAllSessionsAreInUseTheNextIsRefused() {
    for (int i = 0; i < 10; i++) {
      poll(sessions.open(BINDING), false);
    }
    assertThatThrownBy(() -> sessions.open(BINDING)).isInstanceOf(FirestoreServerException.class);
    assertThat(sessions.count()).isEqualTo(10);
  }

  @Test
  void allSessionsTogetherKeepOnlySoMuchAndGoOnWhenThereIsRoom() {
    List<FakeStream> streams = new ArrayList<>();
    List<Session> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(sessions.open(BINDING));
      streams.add(start(all.get(i)));
    }
    for (Session session : all) {
      while (session.isReady()) {
        session.send(large());
      }
    }
    assertThat(sessions.usedBytes()).isBetween(BUDGET, BUDGET + (2 << 20));
    int before = streams.get(9).readied;
    pass(45);
    assertThat(sessions.count()).isZero();
    assertThat(sessions.usedBytes()).isZero();
    assertThat(streams.get(9).readied).isGreaterThan(before);
  }

  @Test
  void thoseThatTakeNothingDoNotStopThoseWhoDo() {
    for (int i = 0; i < 5; i++) {
      Session session = sessions.open(BINDING);
      Poll stuck = new Poll(session);
      stuck.taking = false;
      session.open(stuck, false, LONG, 0);
      while (session.isReady()) {
        session.send(large());
      }
    }
    Session good = sessions.open(BINDING);
    for (int i = 1; i < 100; i++) {
      assertThat(good.isReady()).isTrue();
      good.send(large());
      good.open(new Poll(good), false, LONG, i);
      good.open(new Poll(good), false, LONG, 1000);
    }
  }

  @Test
  void aNewSessionCostsThoseThatKeepTooMuchForNobody() {
    List<Session> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Session session = sessions.open(BINDING);
      all.add(session);
      pass(1);
      while (session.isReady()) {
        session.send(large());
      }
    }
    sessions.open(BINDING);
    assertThat(sessions.usedBytes()).isLessThan(BUDGET);
    assertThat(sessions.find(all.get(0).id(), BINDING)).isEmpty();
    assertThat(sessions.find(all.get(4).id(), BINDING)).isPresent();
  }

  @Test
  void whatOthersAreMissingBeforeIsKeptOnlyWhileThereIsRoom() {
    Session session = sessions.open(BINDING);
    start(session);
    assertThat(session.receive(0, Map.of(1L, "x".repeat(3 << 20)))).isDone();
    assertThatThrownBy(() -> session.receive(0, Map.of(2L, "x".repeat(3 << 20))))
        .isInstanceOf(FirestoreServerException.class);
    sessions.close(session);
    assertThat(sessions.usedBytes()).isZero();
  }

  @Test
  void whoeverSendsToStreamsThatWaitForThemIsRefusedBeforeItIsTooMuch() {
    List<Session> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Session session = sessions.open(BINDING);
      start(session);
      all.add(session);
      Poll stuck = new Poll(session);
      stuck.taking = false;
      session.open(stuck, false, LONG, 0);
      session.send(large());
    }
    int refused = 0;
    for (long id = 0; id < 10; id++) {
      for (Session session : all) {
        try {
          var unused = session.receive(0, Map.of(id, "x".repeat(1 << 20)));
        } catch (FirestoreServerException e) {
          sessions.close(session);
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(sessions.usedBytes()).isLessThan(3 * BUDGET);
  }

  @Test
  void aStreamIsNotHeldUpByWhatItHasStillToTake() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    String much = "x".repeat((int) BUDGET);
    CompletableFuture<String> answer = session.receive(0, Map.of(0L, much, 1L, much, 2L, much));
    for (int i = 1; i <= 3; i++) {
      assertThat(stream.requests).hasSize(i);
      session.send(small()); // which its client has not acknowledged yet
      session.requestNext();
    }
    assertThat(answer).isDone();
    assertThat(sessions.usedBytes()).isLessThan(1 << 20);
  }

  @Test
  void aSessionThatIsOverKeepsNothing() {
    Session session = sessions.open(BINDING);
    FakeStream stream = start(session);
    sessions.close(session);
    assertThat(session.receive(0, Map.of(0L, "a", 1L, "b", 5L, "f"))).isDone();
    assertThat(stream.requests).isEmpty();
    assertThat(sessions.usedBytes()).isZero();
  }

  @Test
  void nobodyLeavesGapsWithoutEnd() {
    Session session = sessions.open(BINDING);
    start(session);
    assertThat(session.receive(0, Map.of(1000L, "x"))).isDone();
    assertThatThrownBy(() -> session.receive(0, Map.of(1001L, "x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      sessions.tick();
    }
  }

  private static Poll poll(Session session, boolean isLong) {
    Poll poll = new Poll(session);
    session.open(poll, isLong, LONG, 0);
    return poll;
  }

  private static FakeStream start(Session session) {
    FakeStream stream = new FakeStream();
    session.start(started -> stream);
    return stream;
  }

  private static WriteResponse small() {
    return WriteResponse.newBuilder().setStreamId("s").build();
  }

  private static WriteResponse large() {
    return WriteResponse.newBuilder().setStreamId("x".repeat(100_000)).build();
  }

  /** An answer that is taken at once, unless told otherwise. */
  private static final class Poll implements BackChannel.Poll {
    private final Session session;
    private final List<String> frames = new ArrayList<>();
    private boolean taking = true;
    private boolean ended;

    Poll(Session session) {
      this.session = session;
    }

    @Override
    public void write(String frame) {
      frames.add(frame);
      if (taking) {
        session.taken(this);
      }
    }

    @Override
    public void end() {
      ended = true;
    }
  }

  /** A stream that takes one message whenever it is let. */
  private static final class FakeStream implements ChannelStream {
    private final List<String> requests = new ArrayList<>();
    private int readied;
    private boolean closed;

    @Override
    public void request(String json) {
      requests.add(json);
    }

    @Override
    public void ready() {
      readied++;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
