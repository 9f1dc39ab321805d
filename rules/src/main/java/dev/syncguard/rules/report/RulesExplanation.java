package dev.syncguard.rules.report;

import dev.syncguard.rules.Decision;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.Trace;
import dev.syncguard.rules.syntax.Expression;
import dev.syncguard.rules.value.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A decision with every step that led to it.
 *
 * @param steps the conditions that were evaluated, in their order
 */
public record RulesExplanation(Decision decision, List<Step> steps) {
  /** An expression, what it came to, and the steps that this took, those inside of functions included. */
  public record Step(Expression expression, Outcome outcome, List<Step> steps) {}

  public RulesExplanation {
    steps = List.copyOf(steps);
  }

  /** Decides a request and remembers what each condition came to. */
  public static RulesExplanation of(Rules rules, RulesRequest request, LookupBudget lookups) {
    Recorder recorder = new Recorder();
    Decision decision = rules.decide(request, lookups, recorder);
    return new RulesExplanation(decision, recorder.conditions);
  }

  private static final class Recorder implements Trace {
    private final List<Step> conditions = new ArrayList<>();
    private final Deque<List<Step>> open = new ArrayDeque<>();

    @Override
    public void entering(Expression expression) {
      open.push(new ArrayList<>());
    }

    @Override
    public void evaluated(Expression expression, Outcome outcome) {
      Step step = new Step(expression, outcome, List.copyOf(open.pop()));
      List<Step> around = open.peek();
      (around == null ? conditions : around).add(step);
    }
  }
}
