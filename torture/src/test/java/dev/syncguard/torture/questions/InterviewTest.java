package dev.syncguard.torture.questions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.torture.questions.Answer.Verdict;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of the answers; {@code lock-testkit} shows the questions wrong backends. */
class InterviewTest {

  private final ManualTime time = ManualTime.skipping();
  private final MemoryLockBackend store = new MemoryLockBackend(time);
  private final Interview interview =
      new Interview(() -> store, Promises.of("memory"), "torture:", time);

  @Test
  void aSoundStoreKeepsWhatItPromisesAndWhatItDoesNotPromiseStaysOpen() {
    List<Answer> answers = interview.ask(1);
    assertThat(answers).noneMatch(answer -> answer.verdict() == Verdict.BROKEN);
    assertThat(answers)
        .filteredOn(answer -> answer.verdict() == Verdict.KEPT)
        .hasSizeGreaterThan(15);
    assertThat(answers)
        .contains(Answer.none(
            "A backend that was closed refuses everything, for good",
            "the backend may have nothing to close"));
  }

  @Test
  void aStoreThatCannotBeReachedProvesNothing() {
    AtomicInteger calls = new AtomicInteger();
    List<Answer> answers = asking(subject -> {
      calls.incrementAndGet();
      throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "It is away");
    });
    assertThat(answers)
        .containsExactly(Answer.none("It answers", "It was told ServiceUnavailable"));
    assertThat(calls).as("tries").hasValue(3);
  }

  @Test
  void whatWaitingDoesNotMendIsAWrongAnswer() {
    assertThat(asking(subject -> {
          throw new LockException(LockException.Code.INTERNAL, "It broke");
        }))
        .containsExactly(Answer.wrong("It answers", "torture:question-1", "It was told Internal"));
    assertThat(asking(subject -> {
          throw new IllegalStateException("It broke");
        }))
        .extracting(Answer::told)
        .containsExactly("It threw IllegalStateException");
  }

  @Test
  void anAnswerThatComesTooLateIsAskedForOnceMore() {
    AtomicInteger calls = new AtomicInteger();
    assertThat(asking(subject -> {
          if (calls.incrementAndGet() == 1) {
            throw NotDecided.tooSlow();
          }
        }))
        .containsExactly(Answer.right("It answers"));
    assertThat(calls).hasValue(2);
  }

  @Test
  void nothingStaysLockedWhateverTheAnswer() {
    List<Answer> answers = interview.ask(1, List.of(new Question("It answers", subject -> {
      subject.take(subject.key());
      throw new WrongAnswer("It did not");
    })));
    assertThat(answers).extracting(Answer::verdict).containsExactly(Verdict.BROKEN);
    assertThat(store.isLocked(LockKey.of("torture:question-1"), Cancellation.none()))
        .isFalse();
  }

  private List<Answer> asking(Question.Script script) {
    return interview.ask(1, List.of(new Question("It answers", script)));
  }
}
