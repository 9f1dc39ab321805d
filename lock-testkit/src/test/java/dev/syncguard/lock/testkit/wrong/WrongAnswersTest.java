package dev.syncguard.lock.testkit.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.CleanupPace;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import dev.syncguard.torture.questions.Connection;
import dev.syncguard.torture.questions.Interview;
import dev.syncguard.torture.questions.Promises;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the questions of a campaign find out about wrong backends. Nearly all of it happens on a clock that nobody waits for. */
@Tag("slow")
class WrongAnswersTest {

  private static final String FOUND_BY_QUESTIONS = Violation.Kind.BROKEN_CONTRACT.name();
  private static final Promises ALL = new Promises(true, true, true, true);

  @Test
  void aPlainBackendThatIsRightAnswersEverythingRight() {
    assertThat(ask(Wrong.NOTHING, ManualTime.skipping(), 1))
        .hasSizeGreaterThan(30)
        .allSatisfy(answer ->
            assertThat(answer.verdict()).as(answer.toString()).isEqualTo(Answer.Verdict.KEPT));
  }

  @Test
  void aPlainBackendThatIsRightIsAccusedOfNothingWhenTimeReallyPasses() {
    assertThat(ask(Wrong.NOTHING, Time.system(), 16))
        .allSatisfy(answer ->
            assertThat(answer.verdict()).as(answer.toString()).isNotEqualTo(Answer.Verdict.BROKEN));
  }

  /** The record says which wrong backends are found by questions; each question has to find one. */
  @Test
  void questionsFindWhatIsWrongForASingleCaller() throws Exception {
    Set<String> found = new TreeSet<>();
    Set<String> broken = new HashSet<>();
    for (Wrong wrong : Wrong.ways().toList()) {
      for (Answer answer : ask(wrong, ManualTime.skipping(), 1)) {
        if (answer.verdict() == Answer.Verdict.BROKEN) {
          found.add(wrong.what());
          broken.add(answer.promise());
        }
      }
    }
    if (System.getProperty("syncguard.torture.all") != null) {
      TortureTrace.write(found.stream()
          .collect(Collectors.toMap(what -> what, what -> Set.of(FOUND_BY_QUESTIONS))));
    }
    Map<String, TortureTrace> traces = TortureTrace.read();
    assertThat(traces.values().stream()
            .filter(trace -> trace.promises().contains(FOUND_BY_QUESTIONS))
            .map(TortureTrace::what))
        .containsExactlyInAnyOrderElementsOf(found);
    assertThat(ask(Wrong.NOTHING, ManualTime.skipping(), 1))
        .extracting(Answer::promise)
        .allSatisfy(promise -> assertThat(broken).contains(promise));
  }

  private static List<Answer> ask(Wrong wrong, Time time, int atATime) {
    PlainStore store = new PlainStore(time);
    Supplier<LockBackend> opener = () -> wrong
        .backend()
        .apply(store)
        .cleaning(new CleanupPace(Duration.ofMillis(100), time), Runnable::run);
    Interview interview = new Interview(opener, ALL, "torture:", time);
    List<Answer> answers = new ArrayList<>(interview.ask(atATime));
    PlainNetwork network = new PlainNetwork();
    answers.addAll(interview.askOver(
        new Connection(new RemoteBackend(wrong.backend().apply(store), network), network)));
    answers.addAll(interview.askOver(new Connection(
        new RemoteBackend(wrong.backend().apply(store), network),
        new PlainOutage(store, network))));
    return answers;
  }
}
