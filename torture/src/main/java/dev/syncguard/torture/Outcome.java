package dev.syncguard.torture;

import dev.syncguard.torture.history.Bounds;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.questions.Answer;
import java.util.List;
import java.util.Map;

/**
 * What came of a campaign.
 *
 * @param settings what it was to do
 * @param plan what was done to the workers
 * @param began when it began, on the clock of the events
 * @param ended when the last worker had ended
 * @param history what happened
 * @param violations which promises were broken
 * @param faults how often each fault was done
 * @param notTried what could not be done, and why
 * @param bounds what the judge went by
 * @param answers what the store was asked before anybody was hurt
 */
public record Outcome(
    Settings settings,
    FaultPlan plan,
    long began,
    long ended,
    List<Event> history,
    List<Violation> violations,
    Map<FaultKind, Integer> faults,
    Map<FaultKind, String> notTried,
    Bounds bounds,
    List<Answer> answers) {

  public Outcome {
    history = List.copyOf(history);
    violations = List.copyOf(violations);
    faults = Map.copyOf(faults);
    notTried = Map.copyOf(notTried);
    answers = List.copyOf(answers);
  }
}
